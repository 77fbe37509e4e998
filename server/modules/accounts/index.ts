export { findAccountByToken } from './sessions/find-account-by-token.ts';
export { whenResetMailsAreSent } from './passwords/forgot-password.ts';
export { removeExpiredSessions } from './sessions/remove-expired-sessions.ts';
export { accountRoutes } from './routes.ts';
