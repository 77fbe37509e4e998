export { findSuggestionCountries, refusalOfNumber, requireNumber, requireNumbers } from './require-number.ts';
export { findDefaultCountry, understandNumbers } from './understand-numbers.ts';
