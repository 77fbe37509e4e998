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

/** `pt-PT,pt;q=0.9` is PT. A language without a region tells nothing: English and Portuguese are spoken in many. */
function regionOf(acceptLanguage: string | undefined): string | undefined {
  const [tag = ''] = (acceptLanguage ?? '').split(/[,;]/, 1);
  try {
    return new Intl.Locale(tag.trim()).region;
  } catch {
    return undefined;
  }
}
