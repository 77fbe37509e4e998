export { findAccountByToken } from './find-account-by-token.ts';
export { whenResetMailsAreSent } from './forgot-password.ts';
export { removeExpiredSessions } from './remove-expired-sessions.ts';
export { accountRoutes } from './routes.ts';
