export { cellText } from './cell-text.ts';
export { deleteProfile } from './delete-profile.ts';
export { deleteProfiles, restoreProfiles, tagProfiles } from './change-many.ts';
export { countProfiles, profileCount } from './count-profiles.ts';
export { namePeople } from './name-people.ts';
export { giveNames } from './give-names.ts';
export { customText, customValue } from './custom-value.ts';
export { createFieldFolder } from './field-folder.ts';
export { listFieldSamples } from './list-field-samples.ts';
export { listProfileFields } from './list-profile-fields.ts';
export { presentProfile } from './present.ts';
export {
  countFacts,
  factSql,
  languageOfNumber,
  factsSql,
  findFacts,
  findHolders,
  noFacts,
  saveManyFacts,
} from './facts.ts';
export type { ProfileFacts } from './facts.ts';
export type { ListedProfileRow, ProfileRow } from './present.ts';
export { phoneOf, readNewPhones } from './profile-values.ts';
export type { ProfileValues } from './profile-values.ts';
export { inReach, inReachOf, requireInReach } from './in-reach.ts';
export { phoneKey } from './numbers/phone-key.ts';
export { findProfileOfNumber, profilesOfNumbers } from './numbers/profiles-of-numbers.ts';
export { getProfileRow } from './queries.ts';
export { isCountry, readPhone } from './numbers/read-phone.ts';
export type { ProfilePhone } from './numbers/read-phone.ts';
export { findProfiles, insertProfiles, lockProfiles, updateProfiles } from './save-profiles.ts';
export type { ChangedProfile, KnownProfile } from './save-profiles.ts';
export { presentProfiles, removeOptOutWords } from './opt-out.ts';
export { profileRoutes } from './routes.ts';
export { numberPattern, optOutPredicate, searchPredicate } from './search-profiles.ts';
export { isObject, valueAt } from './value-at.ts';
