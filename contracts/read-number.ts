/** Why a number of a file cannot be sent to. */
export type NumberProblem = 'leading-zero' | 'too-short' | 'too-long' | 'scientific';

/** What is known of the countries' numbers; `country` is two capital letters. */
export type NumberingPlans = {
  /** Digits; undefined: there is no such country. */
  callingCodeOf(country: string): string | undefined;
  /** The full number, digits, by the country's own rules; undefined where they say nothing. */
  fullNumberOf(national: string, country: string): string | undefined;
};

/** `4.91725E+11`, with a comma in many countries: the digits that are missing cannot be known. */
const scientific = /^\s*\+?\d+(?:[.,]\d+)?e\+?\d+\s*$/i;

/** A number column with gaps, as data tools export it: `14155550132.0`. */
const wholeDecimal = /^(\s*\d+)\.0\s*$/;

export type ReadNumber = { to: string; problem?: NumberProblem };

/**
 * The full number of a row, country code and phone in digits; `0172 5551234` of `DE` is 491725551234. Undefined where one
 * of them holds no digits.
 */
export function readNumber(countryCode: string, phone: string, plans: NumberingPlans): ReadNumber | undefined {
  const given = phone.replace(wholeDecimal, '$1');
  const digits = digitsOf(given);
  const country = countryCode.trim().toUpperCase();
  const ofCountry = plans.callingCodeOf(country);
  const callingCode = ofCountry ?? digitsOf(countryCode.replace(wholeDecimal, '$1'));
  if (callingCode === '' || digits === '') return undefined;
  if (scientific.test(given)) return { to: callingCode + digits, problem: 'scientific' };
  const to = (ofCountry === undefined ? undefined : plans.fullNumberOf(given, country)) ?? callingCode + digits;
  const problem = problemOf(to);
  return { to, ...(problem && { problem }) };
}

function problemOf(to: string): NumberProblem | undefined {
  if (to.startsWith('0')) return 'leading-zero';
  if (to.length < 8) return 'too-short';
  return to.length > 15 ? 'too-long' : undefined;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
