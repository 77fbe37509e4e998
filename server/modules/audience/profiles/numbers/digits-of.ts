import { parseIncompletePhoneNumber } from 'libphonenumber-js/max';

/** The digits of a number as people write it, those of other scripts as ours. */
export function digitsOf(text: string): string {
  return parseIncompletePhoneNumber(text).replaceAll(/\D/g, '');
}
