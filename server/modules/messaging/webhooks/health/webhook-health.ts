import type { WebhookHealth } from '#contracts/webhooks.ts';
import type { WebhookRow } from '../present.ts';

export type Delivery = Pick<WebhookRow, 'status' | 'error' | 'attempts' | 'created_at'>;

const healthy: WebhookHealth = { is_failing: false, failures: 0, failing_since: null, error: null };

/** `deliveries` are the newest to one URL, newest first. Deliveries that have not been tried yet are ignored. */
export function webhookHealth(deliveries: readonly Delivery[]): WebhookHealth {
  const tried = deliveries.filter(({ status, error }) => status !== 'pending' || error !== null);
  const lastSuccess = tried.findIndex(({ status }) => status === 'success');
  const failed = lastSuccess === -1 ? tried : tried.slice(0, lastSuccess);
  const [newest] = failed;
  const oldest = failed.at(-1);
  // A first attempt that failed is repeated within seconds: that alone is no fault.
  const isFirstAttempt = failed.length === 1 && newest?.status === 'pending' && newest.attempts < 2;
  if (!newest || !oldest || isFirstAttempt) return healthy;
  return {
    is_failing: true,
    failures: failed.length,
    failing_since: oldest.created_at.toISOString(),
    error: newest.error,
  };
}
