export { exportSuppressions } from './list/export-suppressions.ts';
export { followReply } from './follow-reply.ts';
export { optOutRoutes } from './routes.ts';
