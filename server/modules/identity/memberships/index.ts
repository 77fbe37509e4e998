export { joinAsNew } from './accept-invitation.ts';
export { takeOverMemberships } from './take-over-memberships.ts';
export { teamRoutes } from './routes.ts';
export { endAllMemberships, worksElsewhere } from './members.ts';
