export { dropOldRequests } from './drop-old-requests.ts';
export { noteCaller } from './caller.ts';
export { createRequestLog } from './request-log.ts';
export { requestLogRoutes } from './routes.ts';
