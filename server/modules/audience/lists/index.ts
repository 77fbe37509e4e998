export { exportProfiles } from './export-profiles.ts';
export { compileFilter, requireFilter } from './profile-filter.ts';
export { profileListRoutes } from './routes.ts';
