import { isSupportedCountry } from 'libphonenumber-js/max';
import { countryOfZone } from '#server/platform/country-of-zone.ts';

type SignUp = { timezone?: string | undefined; acceptLanguage: string | undefined };

/**
 * The default country of a new account, two letters: of its time zone; where that is of no country, the region of the
 * language that the browser prefers. Null where neither tells.
 */
export function countryOfSignUp({ timezone, acceptLanguage }: SignUp): string | null {
  const ofZone = timezone === undefined ? undefined : countryOfZone(timezone);
  const country = ofZone ?? regionOf(acceptLanguage);
  return country !== undefined && isSupportedCountry(country) ? country : null;
}

/** The language that the browser prefers, BCP 47; null where it names none. */
export const languageOfSignUp = ({ acceptLanguage }: Pick<SignUp, 'acceptLanguage'>): string | null =>
  preferred(acceptLanguage)?.toString() ?? null;

/** `pt-PT,pt;q=0.9` is PT. A language without a region tells nothing: English and Portuguese are spoken in many. */
const regionOf = (acceptLanguage: string | undefined): string | undefined => preferred(acceptLanguage)?.region;

/** Browsers name the language that they prefer first. */
function preferred(acceptLanguage: string | undefined): Intl.Locale | undefined {
  const [tag = ''] = (acceptLanguage ?? '').split(/[,;]/, 1);
  // Longer than any language of a person.
  if (tag.length > 35) return undefined;
  try {
    return new Intl.Locale(tag.trim());
  } catch {
    return undefined;
  }
}
