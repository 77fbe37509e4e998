export { findCallRejection, rejectsCalls } from './call-rejection.ts';
export { beginHistory, growHistory, noteHistoryPiece, roomOfHistory, takesHistorySince } from './history/histories.ts';
export { disconnectPhone } from './disconnect-phone.ts';
export { phoneFilter } from './list-phone-numbers.ts';
export { setPhoneActive } from './set-phone-active.ts';
export { outboxChannel, outboxNotifications, phoneNotifications, phonesChannel } from './channels.ts';
export { changePhone } from './change-phone.ts';
export type { PhoneChange } from './change-phone.ts';
export { signOutAccountPhones, signOutProjectPhones } from './disconnect-phone.ts';
export { followPhoneHealth } from './follow-health.ts';
export { signOutLapsedPhones } from './lapse/sign-out-lapsed-phones.ts';
export { isLeaseHeld, leaseEnd, leaseEndSql } from './lease-end.ts';
export { getPhone } from './queries.ts';
export { followPhoneStatus } from './project-status/follow-phone-status.ts';
export type { PhoneRow } from './tables.ts';
export { resealProxies } from './proxy/reseal-proxies.ts';
export { findThroughputs, saveDailyLimit, saveQuality } from './official/number-facts.ts';
export { askAgainForShared, noteWebhook, saveNumberFacts } from './official/shared-numbers.ts';
export { findCallbackOwner, findSignedUpPhones, keptCallbackOwner, noteVerified } from './official/callbacks.ts';
export type { CallbackOwner, SignedUpPhone } from './official/callbacks.ts';
export {
  findBusinessAccounts,
  findOfficialCredentials,
  notOfficial,
  findOfficialPhones,
  resealOfficialNumbers,
} from './official/official-numbers.ts';
export type { BusinessAccount } from './official/official-numbers.ts';
export {
  countWindows,
  findPollers,
  findShutPhones,
  isWindowed,
  isWindowOpen,
  openWindows,
  phonesThatCarry,
  removeOldWindows,
  windowedConnectors,
  moveWindows,
} from './official/windows.ts';
export type { CarriedContent } from './official/windows.ts';
export {
  findNumberOfUser,
  findUserIds,
  forgetScopedUsers,
  isScopedId,
  withKnownNumber,
  withKnownNumbers,
} from './official/scoped-users.ts';
export { judgeTemplates } from './official/judge-templates.ts';
export type { TemplateVerdict } from './official/judge-templates.ts';
export { noteMarketingCaps } from './official/marketing-caps.ts';
export {
  faultHold,
  holdBusinessAccount,
  holdNumber,
  isHeld,
  knownEnd,
  removeOldHolds,
} from './official/number-holds.ts';
export { findPortfolios, noteBegun, removeOldAllowances } from './official/portfolio.ts';
export type { Portfolio } from './official/portfolio.ts';
export { openProxy } from './proxy/seal-proxy.ts';
export { assignPhones } from './rotation/assign-phones.ts';
export type { Assignment, RotationPhone, Wish } from './rotation/assign-phones.ts';
export { findRotationPhones } from './rotation/find-phones.ts';
export { countedDays, countUses, giveCountsBack } from './rotation/count-uses.ts';
export type { Counted } from './rotation/count-uses.ts';
export { messagesToday } from './rotation/daily-count.ts';
export type { Moment } from './rotation/daily-count.ts';
export { lockPhones, phoneOf } from './rotation/lock-phones.ts';
export { restSandboxes } from './rotation/resting.ts';
export { findSendingOfPhone, findStandings } from './rotation/sending-states.ts';
export { phoneNumberRoutes } from './routes.ts';
export { wakePhones } from './wake-phones.ts';
