import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { NumberingPlans } from '#contracts/read-number.ts';

export const numberingPlans: NumberingPlans = {
  callingCodeOf: (country) => (isSupportedCountry(country) ? getCountryCallingCode(country) : undefined),
  fullNumberOf: (national, country) =>
    isSupportedCountry(country) ? parsePhoneNumberFromString(national, country)?.number.slice(1) : undefined,
};
