export { eraseNumber, findErased, resealErasureKeys, suppressErased } from './erased-numbers.ts';
export { isAnyOptedOut, isProfileOptedOut, optedOutAt } from './is-opted-out.ts';
export { liftSuppressions } from './lift-suppressions.ts';
export {
  copyMarketingStop,
  isAnyStoppedMarketing,
  moveMarketingStop,
  noteMarketingPreference,
  stoppedMarketingAt,
} from './marketing-stops.ts';
export { lockPhones } from './lock-phones.ts';
export { copySuppression, moveSuppression } from './move-suppression.ts';
export { defaultSettings } from './replies/default-words.ts';
export { hintsAtOptOut } from './replies/opt-out-hints.ts';
export { isAmbiguous, mayBeReply, readReply } from './replies/read-reply.ts';
export { normalizeWord } from './replies/normalize-word.ts';
export { noteConfirmation, wasConfirmed } from './replies/confirmations.ts';
export { findSettings, saveSettings } from './replies/settings.ts';
export { saysOptedOut, withoutOptOutWords } from './says-opted-out.ts';
export { suppressNumbers, withoutKnown } from './suppress-numbers.ts';
export type { LogRow, SuppressionRow } from './announce.ts';
