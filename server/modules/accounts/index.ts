export { findAccountByToken } from './sessions/find-account-by-token.ts';
export { whenBackgroundWorkIsDone } from './in-background.ts';
export { opensStoredSecrets, resealApiKeys } from './reseal-api-keys.ts';
export { removeExpiredSessions } from './sessions/remove-expired-sessions.ts';
export { accountRoutes } from './routes.ts';
