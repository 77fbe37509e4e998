/** The risk of switching protection off. */
export const protectionOff =
  'Everything queued goes at once, as fast as the connection takes it. Numbers that did so were locked within hours, and ' +
  'banned within days: the ban takes WhatsApp on the handset with it.';
export const protectionHint = 'Keeps to the warm-up, the pace and what WhatsApp says.';
export const quietHoursHint = 'First contacts are written to between 9 and 20 h in their country.';
export const quietHoursOff = 'A stranger who is woken at night reports the number.';
export const olderAccountHint =
  'It was in use long before it was linked here: people may be written to without waiting for 24 hours.';
export const stickyHint = 'Who has written to a number is written to by that one, while it can send.';
export const stickyOff = 'An answer may come from a number that its recipient has never seen.';
