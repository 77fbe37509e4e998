export { findProjectByAuthKey } from './find-project-by-auth-key.ts';
export { followPhoneStatus } from './follow-phone-status.ts';
export { holdProject } from './hold-project.ts';
export { resealProjectKeys } from './reseal-project-keys.ts';
export { projectRoutes } from './routes.ts';
