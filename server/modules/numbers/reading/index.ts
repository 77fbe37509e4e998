export { findSuggestionCountries, refusalOfNumber, requireNumber, requireNumbers } from './require-number.ts';
export { understandNumbers } from './understand-numbers.ts';
