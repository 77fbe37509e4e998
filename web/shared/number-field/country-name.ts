const regionNames = new Intl.DisplayNames('en', { type: 'region' });

/** A country's name in English. */
export const countryName = (country: string): string => regionNames.of(country) ?? country;
