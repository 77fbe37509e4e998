import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { isUnsent } from '#server/unsent.ts';
import type { MessageRow } from './present.ts';
import { releaseFetches } from './receiving/media-fetches.ts';
import { announce, saveChanges } from './settle-messages.ts';
import { deliveryUnknown, settle } from './settlement.ts';

/** Where a second send would be a second message, it counts as attempted: the network may have it. */
const interruptedAt = ({ resendIsHarmless }: { resendIsHarmless: boolean }) =>
  ({
    kind: 'outcome',
    outcome: { kind: 'unknown', reason: 'The worker stopped while sending', isAttempted: !resendIsHarmless },
  }) as const;

/**
 * Recovers messages that the phone's earlier worker was sending when it went away: sent again with the same network id
 * where the connector says that is harmless, else failed as unknown and never sent again by itself. Its fetches are
 * due.
 */
export async function recoverMessages(
  ctx: Context,
  lease: Lease,
  connector: { resendIsHarmless: boolean },
): Promise<number> {
  await releaseFetches(ctx, lease);
  return inTransaction(ctx, async (tx) => {
    const rows: MessageRow[] = await tx.db
      .selectFrom('messages')
      .selectAll()
      .where('account_id', '=', lease.accountId)
      .where('phone_id', '=', lease.phoneId)
      .where('status', '=', 'sending')
      .where(isUnsent())
      .where('lease_token', '<', lease.token)
      .orderBy('id')
      .forUpdate()
      .execute();
    const changes = rows.flatMap((before) => {
      const state = settle(before, interruptedAt(connector), { ...connector, now: tx.clock.now() });
      return state ? [{ before, after: { ...before, ...state } }] : [];
    });
    if (changes.length === 0) return 0;
    await saveChanges(tx, changes);
    await announce(tx, changes);
    return changes.length;
  });
}

/** The network may have a message that its phone has tried to send, be it a retry that waits. */
const reasonOf = ({ network_id: networkId }: MessageRow) =>
  networkId !== null
    ? {
        error: 'Delivery unknown: the phone number was deleted while sending',
        error_code: deliveryUnknown.code,
      }
    : { error: 'Its phone number was deleted before it was sent', error_code: 'phone_deleted' as const };

/** A phone that is gone sends nothing any more. Runs in the transaction that deletes it. */
export async function failMessagesOfPhone(tx: Tx, accountId: number, phoneId: number): Promise<void> {
  const rows: MessageRow[] = await tx.db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .where('status', 'in', ['pending', 'sending'])
    .where(isUnsent())
    .orderBy('id')
    .forUpdate()
    .execute();
  const changes = rows.map((before) => ({
    before,
    after: { ...before, ...reasonOf(before), status: 'failed' as const, lease_token: null },
  }));
  if (changes.length === 0) return;
  await saveChanges(tx, changes);
  await announce(tx, changes);
}
