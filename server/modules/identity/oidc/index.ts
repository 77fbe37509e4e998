export { removeExpiredAttempts } from './attempts.ts';
export { oidcRoutes } from './routes.ts';
export { identityTables } from './tables.ts';
