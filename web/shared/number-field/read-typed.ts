import { commonCountries, digitsOfWritten, readingsIn, understandNumber } from '#contracts/understand-number.ts';
import type { NumberReading } from '#contracts/understand-number.ts';
import type { LoadedPlans } from '../number-plans.ts';
import { countryName } from './country-name.ts';

/** `country`: chosen by hand; `defaultCountry`: of the account. */
export type Typed = { text: string; country: string | null; defaultCountry: string | null };

/**
 * How a typed number is understood, as the line beneath the field says it:
 * - `read`: it goes to `reading`; `other` is the second assignable reading, `left` what was left out of the text;
 * - `unlikely`: it can be sent to, but no plan has it, or it is a fixed line; `text` says why;
 * - `asked`: it is not clear, and `suggestions` are what it may be;
 * - `wrong`: it is no number; `short`: digits are missing still.
 */
export type TypedReading =
  | { kind: 'empty' }
  | { kind: 'read'; reading: NumberReading; isNational: boolean; other?: NumberReading; left?: string }
  | { kind: 'unlikely'; reading: NumberReading; text: string }
  | { kind: 'asked'; suggestions: readonly NumberReading[] }
  | { kind: 'short'; missing: number; text: string; reading?: NumberReading }
  | { kind: 'wrong'; text: string };

const extension = /\s*(?:ext\.?|extension|x|#)\s*\d{1,7}\s*$/i;
/** A name as it stands in a sentence: 'the United States'. */
export const namedIn = (country: string) =>
  /^(United|Netherlands|Philippines|Bahamas|Maldives|Comoros|Seychelles|Dominican|Czech|Central)|Islands$/.test(
    countryName(country),
  )
    ? `the ${countryName(country)}`
    : countryName(country);

const most = 3;

/** Reads what is typed by the rules of `understandNumber`, with an extension left out. */
export function readTyped({ text, country, defaultCountry }: Typed, plans: LoadedPlans): TypedReading {
  const left = extension.exec(text)?.[0].trim();
  const written = text.replace(extension, '');
  if (written.trim() === '') return { kind: 'empty' };
  const foreign = foreignSigns(written);
  if (foreign !== undefined) return { kind: 'wrong', text: `${foreign} cannot stand in a number.` };
  const understood = understandNumber({ written, country, defaultCountry }, plans);
  if (understood.kind === 'clear' && understood.isAssignable) {
    const { by, other, ...reading } = understood;
    if (plans.isFixedLine(reading.number)) return { kind: 'unlikely', reading, text: fixedLineText(reading, plans) };
    const isNational = by === 'national' || by === 'country';
    return { kind: 'read', reading, isNational, ...(other && { other }), ...(left !== undefined && { left }) };
  }
  if (understood.kind === 'clear' && understood.by === 'country') {
    const full = understandNumber({ written }, plans);
    if (full.kind === 'clear' && full.isAssignable) return { kind: 'asked', suggestions: [full] };
  }
  const short = shortage({ text: written, country, defaultCountry }, plans);
  if (short) return { ...short, ...(understood.kind === 'clear' && { reading: understood }) };
  if (understood.kind === 'clear')
    return { kind: 'unlikely', reading: understood, text: unlikelyText(understood, plans) };
  if (understood.kind === 'invalid') return { kind: 'wrong', text: 'A number has 8 to 15 digits with its country.' };
  const countries = [...(defaultCountry === null ? [] : [defaultCountry]), ...commonCountries];
  return { kind: 'asked', suggestions: readingsIn({ written, countries, limit: most }, plans) };
}

function foreignSigns(text: string): string | undefined {
  const signs = new Set(text.replaceAll(/[\p{Nd}\s+\uFF0B().\-\p{Cf}/]/gu, ''));
  if (signs.size === 0) return undefined;
  const letters = Array.from(signs).some((sign) => /\p{L}/u.test(sign));
  const others = Array.from(signs).filter((sign) => !/\p{L}/u.test(sign));
  return [...(letters ? ['Letters'] : []), ...others].join(' and ');
}

/** How many digits are missing, where the country tells how many its numbers have. */
function shortage(
  { text, country, defaultCountry }: Typed,
  plans: LoadedPlans,
): (TypedReading & { kind: 'short' }) | undefined {
  const { digits, isInternational } = digitsOfWritten(text);
  const of = isInternational ? (plans.read(`+${digits}`)?.country ?? null) : (country ?? defaultCountry);
  const expected = of === null ? undefined : plans.nationalLengthOf(of);
  if (of === null || expected === undefined || !Number.isFinite(expected)) return undefined;
  const national = isInternational ? plans.nationalOf(digits) : digits.replace(/^0+/, '');
  const missing = expected - national.length;
  if (missing <= 0) return undefined;
  const are = missing === 1 ? 'digit is' : 'digits are';
  const sentence = `${capital(inWords(missing))} ${are} missing: ${capital(namedIn(of))} has ${inWords(expected)} after +${plans.callingCodeOf(of) ?? ''}.`;
  return { kind: 'short', missing, text: sentence };
}

const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A small number in words. */
export const inWords = (count: number): string => words[count] ?? String(count);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const fixedLineText = ({ country }: NumberReading, plans: LoadedPlans) =>
  country === null || plans.countries.length === 0
    ? 'A fixed line. Few of them are on WhatsApp.'
    : `A fixed line (${countryName(country)}). Few of them are on WhatsApp.`;

function unlikelyText({ number, country }: NumberReading, plans: LoadedPlans): string {
  const of = country ?? countryOfCode(number, plans);
  if (of === undefined) return 'No country has such numbers. It is sent as it stands.';
  const code = plans.callingCodeOf(of) ?? '';
  const start = number.slice(code.length, code.length + 3);
  return `No number in ${namedIn(of)} begins with ${start}. It is sent as it stands.`;
}

/** The main country of a calling code, for numbers that are none of its plan. */
const countryOfCode = (number: string, plans: LoadedPlans): string | undefined => {
  const sharing = plans.countries.filter((country) => number.startsWith(plans.callingCodeOf(country) ?? ' '));
  return commonCountries.find((country) => sharing.includes(country)) ?? sharing[0];
};
