/** A number as a numbering plan reads it. */
export type NumberReading = {
  /** In full, digits. */
  number: string;
  /** Two capital letters; null for numbers of no country, such as +800. */
  country: string | null;
  /** Whether the plan gives such numbers to anybody. */
  isAssignable: boolean;
};

/** The numbering plans that a number is read with; `numberPlansOf` makes them. */
export type NumberPlans = {
  /** Digits; undefined: there is no such country. */
  callingCodeOf(country: string): string | undefined;
  /** Reads `+` and digits, or digits as they are dialled within `country`; undefined where that makes no number. */
  read(text: string, country?: string): NumberReading | undefined;
};

/** The part of `libphonenumber-js/max` that is used. Smaller metadata calls too many numbers assignable. */
type Library = {
  isSupportedCountry(country: string): boolean;
  getCountryCallingCode(country: never): string;
  parsePhoneNumberFromString(
    text: string,
    country?: never,
  ): { number: string; country?: string | undefined; isValid(): boolean } | undefined;
};

/** Makes the plans of `libphonenumber-js/max`: the server imports it, the page loads it once a number is typed. */
export function numberPlansOf(library: Library): NumberPlans {
  return {
    callingCodeOf: (country) =>
      library.isSupportedCountry(country) ? library.getCountryCallingCode(country as never) : undefined,
    read(text, country) {
      const read = library.parsePhoneNumberFromString(text, country as never);
      return read && { number: read.number.slice(1), country: read.country ?? null, isAssignable: read.isValid() };
    },
  };
}

export type WrittenNumber = {
  /** As somebody wrote it: `+351 912 100 017`, `00351912100017`, `912 100 017`, full digits. */
  written: string;
  /** The country that is named for this number, two capital letters: its rules read it. */
  country?: string | null | undefined;
  /** Of the account, the import or the file, two capital letters: asked where the full digits are not assignable. */
  defaultCountry?: string | null | undefined;
  /** Whether the account knows the digits as a full number: one of its phones, profiles or conversations. */
  isKnown?: boolean | undefined;
};

export type UnderstoodNumber =
  | (NumberReading & {
      kind: 'clear';
      /**
       * The rule that decided: a `+` or `00`; the account knows it; `country` was named; the full digits are
       * assignable; it is national in the default country.
       */
      by: 'international' | 'known' | 'country' | 'full' | 'national';
      /** The other assignable reading: a form offers it, the API never refuses because of it. */
      other?: NumberReading;
    })
  /** Neither assignable as full digits nor as a national number. `number`: its digits, which may be no full number. */
  | { kind: 'not_clear'; number: string }
  /** The text holds no number, or a number that has not 8 to 15 digits in full, or begins with a 0. */
  | { kind: 'invalid' };

/**
 * Says whose number it is. With `+` or `00` it is international. With a named country that country's rules read it, as a
 * full number where it begins with the calling code and is assignable. Else what the account knows stands as full digits,
 * full digits stand where they are assignable, then the national number of the default country where that is; what is
 * left is not clear. A number of a named country that is not assignable there stands as full digits where it is known.
 * International, known and named-country numbers need not be assignable. Mobiles of Brazil, Mexico and Argentina are
 * assignable in both their forms and stay in the form they were written in.
 */
export function understandNumber(asked: WrittenNumber, plans: NumberPlans): UnderstoodNumber {
  const { digits, isInternational } = digitsOfWritten(asked.written);
  if (isInternational) return clear('international', readFull(digits, plans));
  const full = readFull(digits, plans);
  const named = asked.country ? readInCountry(digits, asked.country, plans) : undefined;
  if (named && (named.isAssignable || !asked.isKnown)) return clear('country', named);
  if (asked.isKnown) return clear('known', { ...full, number: digits });
  const national = asked.defaultCountry ? readNational(digits, asked.defaultCountry, plans) : undefined;
  if (full.isAssignable) {
    const other = national && !numberForms(full.number).includes(national.number) ? national : undefined;
    return { kind: 'clear', by: 'full', ...full, ...(other && { other }) };
  }
  if (national) return { kind: 'clear', by: 'national', ...national };
  return digits.length < fewestDigits || digits.length > 15
    ? { kind: 'invalid' }
    : { kind: 'not_clear', number: digits };
}

/** Whether the default country and what the account knows could still change the reading. */
export const isUnsettled = (understood: UnderstoodNumber): boolean =>
  understood.kind !== 'clear' ||
  understood.by === 'national' ||
  (understood.by === 'country' && !understood.isAssignable);

/** Fewer digits are a number in so many countries that suggestions would be guesses. */
const fewestDigits = 8;

/** Whether digits can be a full number: 8 to 15 of them, without a leading 0. */
export const isFullNumber = (digits: string): boolean => /^[1-9]\d{7,14}$/.test(digits);

function clear(by: 'international' | 'known' | 'country', reading: NumberReading): UnderstoodNumber {
  return isFullNumber(reading.number) ? { kind: 'clear', by, ...reading } : { kind: 'invalid' };
}

/**
 * The assignable readings of a number in these countries, each once: suggestions for a number that is not clear. At most
 * `limit`, in the order of the countries.
 */
export function readingsIn(
  { written, countries, limit }: { written: string; countries: Iterable<string>; limit: number },
  plans: NumberPlans,
): NumberReading[] {
  const { digits } = digitsOfWritten(written);
  const readings = new Map<string, NumberReading>();
  for (const country of countries) {
    if (readings.size >= limit) break;
    const reading = readNational(digits, country, plans);
    if (reading && !readings.has(reading.number)) readings.set(reading.number, reading);
  }
  return [...readings.values()];
}

/** The countries that are tried last for a suggestion: many people there use WhatsApp. */
export const commonCountries: readonly string[] =
  'US GB DE BR IN MX ES PT FR IT ID NL CH AT AR CO CL PE ZA NG KE EG SA AE TR PK BD MY SG AU CA'.split(' ');

/** The zeros of the decimal digits that numbers are written with beside ours: full-width, Arabic, Persian, Devanagari. */
const zeros = [0xff_10, 0x6_60, 0x6_f0, 0x9_66];

/** The digits of a number, those of other scripts as ours, without the `00` that stands for a `+`. */
export function digitsOfWritten(written: string): { digits: string; isInternational: boolean } {
  // As programs write nearly all of them.
  if (/^[1-9]\d*$/.test(written)) return { digits: written, isInternational: false };
  const digits = inOurDigits(written).replaceAll(/\D/g, '');
  const hasPlus = /^[\s(\p{Cf}]*[+\uFF0B]/u.test(written);
  const hasZeros = !hasPlus && digits.startsWith('00');
  return { digits: hasZeros ? digits.slice(2) : digits, isInternational: hasPlus || hasZeros };
}

/**
 * The digits to look for in full numbers, whole or a part: of what is long enough for a whole number without the zeros
 * that stand for a `+` or are dialled before a national number.
 */
export function digitsToFind(written: string): string {
  const digits = inOurDigits(written).replaceAll(/\D/g, '');
  return digits.length >= 9 ? digits.replace(/^0{1,2}(?=[1-9])/, '') : digits;
}

/** The text with the digits of other scripts as ours. */
export const inOurDigits = (text: string): string => text.replaceAll(/\P{ASCII}/gu, inOurScript);

function inOurScript(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = zeros.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? character : String(code - zero);
}

/** Digits as a full number, assignable where any form of it is; a `(0)` after the calling code is left out. */
function readFull(digits: string, plans: NumberPlans): NumberReading {
  const forms = numberForms(digits);
  for (const form of forms) {
    const read = plans.read(`+${form}`);
    if (read?.isAssignable) return { ...read, number: forms.includes(read.number) ? digits : read.number };
  }
  return { number: digits, country: plans.read(`+${digits}`)?.country ?? null, isAssignable: false };
}

function readInCountry(digits: string, country: string, plans: NumberPlans): NumberReading {
  const full = readFull(digits, plans);
  const callingCode = plans.callingCodeOf(country);
  if (callingCode === undefined || (full.isAssignable && digits.startsWith(callingCode))) return full;
  return readNational(digits, country, plans) ?? plans.read(digits, country) ?? full;
}

/** A national number of the country, undefined where it is not assignable there. */
function readNational(digits: string, country: string, plans: NumberPlans): NumberReading | undefined {
  const read = plans.read(digits, country);
  if (!read || !isFullNumber(read.number)) return undefined;
  if (read.isAssignable) return read;
  const full = readFull(read.number, plans);
  return full.isAssignable ? full : undefined;
}

/**
 * The numbers that are the same phone as this one, itself first. In three countries a mobile's number is written with
 * or without one digit: Brazil's ninth (55 AA 9…), Mexico's 1 (52 1…), Argentina's 9 (54 9…).
 */
export function numberForms(number: string): string[] {
  if (!/^5[245]/.test(number)) return [number];
  const other = [
    number.replace(/^(55\d\d)9([6-9]\d{7})$/, '$1$2'),
    number.replace(/^(55\d\d)([6-9]\d{7})$/, '$19$2'),
    number.replace(/^521(\d{10})$/, '52$1'),
    number.replace(/^52(\d{10})$/, '521$1'),
    number.replace(/^549(\d{10})$/, '54$1'),
    number.replace(/^54(\d{10})$/, '549$1'),
  ].filter((form) => form !== number);
  return [number, ...other];
}
