export { takeOverMemberships } from './take-over-memberships.ts';
