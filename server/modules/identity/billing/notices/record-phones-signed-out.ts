import type { Tx } from '#server/context.ts';
import { findCurrentSubscription } from '../queries.ts';
import { recordNotices } from './record-notices.ts';

/** Records the notice that the phones are signed out, as access ended at `endedAt`. */
export async function recordPhonesSignedOut(tx: Tx, accountId: number, endedAt: Date): Promise<void> {
  const subscription = await findCurrentSubscription(tx, accountId);
  if (!subscription) return;
  await recordNotices(tx, subscription, [
    { occasion: 'phones_signed_out', occurredAt: endedAt, accessEndsAt: endedAt },
  ]);
}
