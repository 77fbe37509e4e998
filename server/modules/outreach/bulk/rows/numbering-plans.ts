import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { NumberingPlans } from '#contracts/read-number.ts';

/** Beside those of the browser, which knows their shapes alone. */
export const numberingPlans: NumberingPlans = {
  callingCodeOf: (country) => (isSupportedCountry(country) ? getCountryCallingCode(country) : undefined),
  fullNumberOf: (national, country) =>
    isSupportedCountry(country) ? parsePhoneNumberFromString(national, country)?.number.slice(1) : undefined,
};
