export { takeOverMemberships } from './take-over-memberships.ts';
export { teamRoutes } from './routes.ts';
