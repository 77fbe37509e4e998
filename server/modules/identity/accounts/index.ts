export { findKeptDays } from './find-kept-days.ts';
export { findAccountByToken } from './sessions/find-account-by-token.ts';
export { runInBackground, whenBackgroundWorkIsDone } from './in-background.ts';
export { opensStoredSecrets, resealApiKeys } from './reseal-api-keys.ts';
export { originOf } from './origin.ts';
export type { Origin } from './origin.ts';
export { recordSecurityEvent } from './security-events/record-security-event.ts';
export { removeExpiredSessions } from './sessions/remove-expired-sessions.ts';
export { accountRoutes } from './routes.ts';
