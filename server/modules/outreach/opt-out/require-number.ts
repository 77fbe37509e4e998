import { readPhone } from '#server/modules/audience/profiles/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** A full international number in digits, as profiles keep it. Throws 422 for what cannot be one. */
export function requireNumber(given: string): string {
  const read = readPhone(given, null);
  if (!read) throw new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]);
  return read.phone;
}
