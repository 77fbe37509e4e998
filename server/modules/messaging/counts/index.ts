export { countMessages } from './count-messages.ts';
export { removeOldCounts } from './remove-old-counts.ts';
export { messageCountRoutes } from './routes.ts';
