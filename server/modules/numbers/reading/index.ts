export { findSuggestionCountries, refusalOfNumber, requireNumber, requireNumbers } from './require-number.ts';
export { findDefaultCountry, findKnownNumbers, numberReader, understandNumbers } from './understand-numbers.ts';
export type { AskedNumber } from './understand-numbers.ts';
export { readingRoutes } from './routes.ts';
