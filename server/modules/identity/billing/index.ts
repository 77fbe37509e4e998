export { createBillingWorker } from './billing-worker.ts';
export { removeOldEvents } from './events/work-off-events.ts';
export { beginTrial, grantAccess } from './grant-access.ts';
export { refuseOnTrial } from './trial.ts';
export { getSubscription } from './get-subscription.ts';
export { reconcileSubscriptions } from './reconcile-subscriptions.ts';
export { billingRoutes } from './routes.ts';
export { recordPhonesSignedOut } from './notices/record-phones-signed-out.ts';
export { cancelSubscription } from './cancel-subscription.ts';
