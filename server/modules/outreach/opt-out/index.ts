export { followReply } from './follow-reply.ts';
export { optOutRoutes } from './routes.ts';
