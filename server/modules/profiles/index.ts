export { profileCount } from './count-profiles.ts';
export { cellText } from './export-profiles.ts';
export type { ProfileRow } from './present.ts';
export type { ProfileValues } from './profile-values.ts';
export { profilesOfNumbers } from './numbers/profiles-of-numbers.ts';
export { getProfileRow } from './queries.ts';
export { isCountry, readPhone } from './numbers/read-phone.ts';
export { profileRoutes } from './routes.ts';
export { isObject, valueAt } from './value-at.ts';
