/** The payload is the id of an account whose profiles or segments have changed. */
export const segmentsChannel = 'dovepost_segments';
