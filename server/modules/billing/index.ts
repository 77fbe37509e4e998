export { getSubscription } from './get-subscription.ts';
export { reconcileSubscriptions } from './reconcile-subscriptions.ts';
export { billingRoutes } from './routes.ts';
