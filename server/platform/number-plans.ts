import * as library from 'libphonenumber-js/max';
import { numberPlansOf } from '#contracts/understand-number.ts';
import type { NumberPlans } from '#contracts/understand-number.ts';

/** A number as the library reads it. */
type ParsedNumber = {
  /** E.164, with its plus. */
  number: string;
  country: library.CountryCode | undefined;
  countryCallingCode: string;
  nationalNumber: string;
  isValid(): boolean;
};

/** Numbers are written to again and again, and to read one takes as long as all else that a message asks of the process. */
const parsed = new Map<string, ParsedNumber | undefined>();
const mostParsed = 10_000;

/** The library's function of this name. The rules that ask about a number one after the other share one reading of it. */
export function parsePhoneNumberFromString(text: string, country?: library.CountryCode): ParsedNumber | undefined {
  const key = country === undefined ? text : `${country} ${text}`;
  if (parsed.has(key)) return parsed.get(key);
  if (parsed.size >= mostParsed) parsed.clear();
  const number = parse(text, country);
  parsed.set(key, number);
  return number;
}

/** Plain values: what the library answers holds more memory than they do, and says anew whether the number is valid. */
function parse(text: string, country: library.CountryCode | undefined): ParsedNumber | undefined {
  const read = library.parsePhoneNumberFromString(text, country);
  if (!read) return undefined;
  const isValid = read.isValid();
  const { number, countryCallingCode, nationalNumber } = read;
  return { number, country: read.country, countryCallingCode, nationalNumber, isValid: () => isValid };
}

/** `+1 415 555 0132`, of the digits of a full number. */
export const formatNumber = (digits: string): string =>
  library.parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;

/** The numbering plans of all countries. */
export const numberPlans: NumberPlans = numberPlansOf({ ...library, parsePhoneNumberFromString });
