import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/min';
import type { NumberProblem } from './contact.ts';

/** `4.91725E+11`, with a comma in many countries: the digits that are missing cannot be known. */
const scientific = /^\s*\+?\d+(?:[.,]\d+)?e\+?\d+\s*$/i;

/** A number column with gaps, as data tools export it: `14155550132.0`. */
const wholeDecimal = /^(\s*\d+)\.0\s*$/;

export type ReadNumber = { to: string; problem?: NumberProblem };

/** The full number, country code and phone in digits. Undefined where one of them holds no digits. */
export function readNumber(countryCode: string, phone: string): ReadNumber | undefined {
  const given = phone.replace(wholeDecimal, '$1');
  const digits = digitsOf(given);
  const country = countryCode.trim().toUpperCase();
  const isCountry = isSupportedCountry(country);
  const callingCode = isCountry ? getCountryCallingCode(country) : digitsOf(countryCode.replace(wholeDecimal, '$1'));
  if (callingCode === '' || digits === '') return undefined;
  if (scientific.test(given)) return { to: callingCode + digits, problem: 'scientific' };
  const to = isCountry ? readNational(given, country) : callingCode + digits;
  const problem = problemOf(to);
  return { to, ...(problem && { problem }) };
}

/** By the country's own rules: `0172 5551234` of `DE` is 491725551234. */
function readNational(given: string, country: CountryCode): string {
  const parsed = parsePhoneNumberFromString(given, country);
  return parsed ? parsed.number.slice(1) : getCountryCallingCode(country) + digitsOf(given);
}

function problemOf(to: string): NumberProblem | undefined {
  if (to.startsWith('0')) return 'leading-zero';
  if (to.length < 8) return 'too-short';
  return to.length > 15 ? 'too-long' : undefined;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
