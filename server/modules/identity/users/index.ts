export { runInBackground, whenBackgroundWorkIsDone } from './in-background.ts';
export { originOf } from './origin.ts';
export type { Origin } from './origin.ts';
export { recordDestinationChange } from './security-events/record-destination-change.ts';
export { recordSecurityEvent } from './security-events/record-security-event.ts';
export { findCallerByToken } from './sessions/find-caller-by-token.ts';
export { removeExpiredSessions } from './sessions/remove-expired-sessions.ts';
export { userRoutes } from './routes.ts';
