import { callApi } from '#web/shared/api.ts';
import { hasStatus } from '#web/shared/api-error.ts';
import { loadCurrentUser } from '#web/shared/current-user.ts';
import { hasPaidAccess } from '#web/shared/session.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

export const captureFailure = 'Failed to capture subscription order';

export type PlacedOrder = { orderId: string; planId: number };

/** Two captures of an order may overlap: its good news is told once. */
let toldOrderId: string | undefined;

/** Once captured, the current user is loaded anew; the route guard opens what it closed. */
export async function captureOrder(order: PlacedOrder): Promise<void> {
  await callApi('POST /api/subscription/capture-order', { body: order });
  await loadCurrentUser();
  if (toldOrderId === order.orderId) return;
  toldOrderId = order.orderId;
  notify.success('Your subscription is active');
}

/** `waiting`: the provider has not said yet that the payer agreed, or that money came. */
export type CaptureOutcome = 'active' | 'waiting' | 'refused';

/** As `captureOrder`, for an order that the payer may not have approved. A repeat is harmless. */
export async function settleOrder(order: PlacedOrder): Promise<CaptureOutcome> {
  try {
    await captureOrder(order);
    return 'active';
  } catch (error) {
    if (!hasStatus(error, 402)) throw error;
  }
  // The same answer stands for every order that is not paid for; the account's own state tells them apart.
  const { subscription } = await loadCurrentUser();
  if (subscription.currentSubscription?.order_id !== order.orderId) return 'refused';
  if (hasPaidAccess(subscription)) return 'active';
  return subscription.status === 'pending' ? 'waiting' : 'refused';
}
