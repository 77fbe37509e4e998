import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js/max';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import { parsePhoneNumberFromString } from '#server/platform/number-plans.ts';

/** A number as a profile stores it: once in E.164 (without its plus), next to what was given. */
export type ProfilePhone = {
  phone: string;
  phone_given: string;
  country_code: string | null;
  calling_code: string | null;
  national_number: string;
  phone_is_valid: boolean;
};

export const isCountry = (code: string): code is CountryCode => isSupportedCountry(code);

/** In digits. */
export const callingCodeOf = (country: CountryCode): string => getCountryCallingCode(country);

/**
 * Reads a number as people write it. Without a country, or with a plus or `00`, the digits are the full international number.
 * With one they are read by that country's rules, as the full number where they begin with its calling code and make a
 * valid one. Undefined when the full number does not have 8 to 15 digits or begins with a zero.
 */
export function readPhone(given: string, country: CountryCode | null): ProfilePhone | undefined {
  const { digits, isInternational } = digitsOfWritten(given);
  const parsed =
    isInternational || country === null ? parsePhoneNumberFromString(`+${digits}`) : readNational(digits, country);
  const phone = parsed ? parsed.number.slice(1) : digits;
  if (!isFullNumber(phone)) return undefined;
  return {
    phone,
    phone_given: given,
    country_code: parsed?.country ?? country,
    calling_code: parsed?.countryCallingCode ?? null,
    national_number: parsed?.nationalNumber ?? phone,
    phone_is_valid: parsed?.isValid() ?? false,
  };
}

function readNational(digits: string, country: CountryCode) {
  if (digits.startsWith(getCountryCallingCode(country))) {
    const international = parsePhoneNumberFromString(`+${digits}`);
    if (international?.isValid()) return international;
  }
  return parsePhoneNumberFromString(digits, country);
}
