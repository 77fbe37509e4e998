export { createBillingWorker } from './billing-worker.ts';
export { removeOldEvents } from './events/work-off-events.ts';
export { getSubscription } from './get-subscription.ts';
export { reconcileSubscriptions } from './reconcile-subscriptions.ts';
export { billingRoutes } from './routes.ts';
export { signOutLapsedPhones } from './lapse/sign-out-lapsed-phones.ts';
