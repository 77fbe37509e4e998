/** The payload is the id of an account whose people or expressions have changed. */
export const membershipChannel = 'dovepost_membership';
