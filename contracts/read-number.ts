import { inOurDigits, isFullNumber, type NumberPlans } from './understand-number.ts';

/** Why a number of a file cannot be sent to. `not-clear`: it is neither a full number nor one of the file's country. */
export type NumberProblem = 'leading-zero' | 'too-short' | 'too-long' | 'scientific' | 'not-clear';

/** `4.91725E+11`, with a comma in many countries: the digits that are missing cannot be known. */
const scientific = /^\s*\+?\d+(?:[.,]\d+)?e\+?\d+\s*$/i;

/** A number column with gaps, as data tools export it: `14155550132.0`. */
const wholeDecimal = /^(\s*\d+)\.0\s*$/;

/** Whether a spreadsheet shortened the number of a cell. */
export const isShortenedNumber = (cell: string): boolean => scientific.test(cell);

/** The number of a cell without the decimal that a data tool gave it: its zero is no digit of the number. */
export const withoutDecimal = (cell: string): string => cell.replace(wholeDecimal, '$1');

export type ReadNumber = { to: string; problem?: NumberProblem };

export type RowNumber = {
  /** Letters or a calling code; undefined: the file has no such column. */
  countryCode: string | undefined;
  phone: string;
  /** Of the file: read where the digits are no full number and the row names no country. */
  defaultCountry: string | null;
  /** Whether the account knows the digits as a full number; counts where the row names no country. */
  isKnown?: boolean;
};

/**
 * The full number of a row, country code and phone in digits; `0172 5551234` of `DE` is 491725551234. A phone that begins
 * with + or 00, or has the calling code already, is a full number. Undefined where one of them holds no digits.
 */
export function readNumber({ countryCode, phone, defaultCountry, isKnown = false }: RowNumber, plans: NumberPlans) {
  const given = withoutDecimal(inOurDigits(phone));
  const digits = digitsOf(given);
  const code = countryCode === undefined ? undefined : readCode(countryCode, plans);
  if (digits === '' || code?.callingCode === '') return undefined;
  if (isShortenedNumber(given)) return withProblem((code?.callingCode ?? '') + digits, 'scientific');
  if (/^\s*(\+|00)/.test(given)) return withProblem(digits.replace(/^00/, ''));
  if (code === undefined) return readAlone({ given, digits, defaultCountry, isKnown }, plans);
  if (code.country !== undefined)
    return withProblem(plans.read(given, code.country)?.number ?? code.callingCode + digits);
  return withProblem(joined(code.callingCode, digits, plans));
}

/** Calling code and digits; a calling code that is there twice, and a 0 that is dialled within the country, are seen. */
function joined(callingCode: string, digits: string, plans: NumberPlans): string {
  const whole = callingCode + digits;
  const read = plans.read(`+${whole}`);
  // The reader drops a 1 that is dialled within the country: such a number is not the one that was written.
  const isWhole = read?.isAssignable === true && read.number === whole;
  const isDoubled = !isWhole && digits.startsWith(callingCode) && plans.read(`+${digits}`)?.isAssignable === true;
  if (isDoubled) return digits;
  return read?.isAssignable && digits.startsWith('0') ? read.number : whole;
}

type Alone = { given: string; digits: string; defaultCountry: string | null; isKnown: boolean };

/** A number without a country code: full digits where the account knows them or they are assignable, else national in the default country. */
function readAlone({ given, digits, defaultCountry, isKnown }: Alone, plans: NumberPlans): ReadNumber {
  if (isKnown && isFullNumber(digits)) return { to: digits };
  if (plans.read(`+${digits}`)?.isAssignable) return { to: digits };
  const isCountry = defaultCountry !== null && plans.callingCodeOf(defaultCountry) !== undefined;
  const national = isCountry ? plans.read(given, defaultCountry) : undefined;
  return national?.isAssignable ? { to: national.number } : withProblem(digits, problemOf(digits) ?? 'not-clear');
}

function readCode(text: string, plans: NumberPlans): { country: string | undefined; callingCode: string } {
  const country = text.trim().toUpperCase();
  const callingCode = plans.callingCodeOf(country);
  if (callingCode !== undefined) return { country, callingCode };
  return { country: undefined, callingCode: digitsOf(withoutDecimal(inOurDigits(text))).replace(/^00/, '') };
}

function withProblem(to: string, problem = problemOf(to)): ReadNumber {
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
