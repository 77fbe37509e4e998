export { exportProfiles } from './export-profiles.ts';
export { compileFilter } from './profile-filter.ts';
export { notLeaving } from './not-leaving.ts';
export { profileListRoutes } from './routes.ts';
