import { getCountries } from 'libphonenumber-js/max';

/** Node has it, TypeScript's library does not know yet (ECMA-402, Intl Locale Info). */
type LocaleWithZones = Intl.Locale & { getTimeZones?(): string[] | undefined };

/** The time zones of a country (two letters), as CLDR lists them, which comes with Node's own ICU. */
export const zonesOfCountry = (country: string): readonly string[] =>
  (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones?.() ?? [];

let countries: ReadonlyMap<string, string> | undefined;

/** The country that a time zone is of; undefined for UTC and the like. CLDR knows each zone in one country. */
export function countryOfZone(zone: string): string | undefined {
  countries ??= new Map(getCountries().flatMap((country) => zonesOfCountry(country).map((name) => [name, country])));
  // Intl gives a zone of several names, such as Europe/Kyiv, the one that CLDR lists.
  return countries.get(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
}
