export { exportProfiles } from './export-profiles.ts';
export { compileFilter } from './profile-filter.ts';
export { profileListRoutes } from './routes.ts';
