export { followJoins } from './follow-joins.ts';
export { noteCauses } from './note-causes.ts';
export { createNotifier } from './notifier.ts';
export { resealPushes } from './push/reseal.ts';
export { removeOldNotifications } from './remove-old.ts';
export { notificationRoutes } from './routes.ts';
