import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { assignPhones, isResting } from '#server/modules/phone-numbers/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import { acceptMessages } from '../accept-message.ts';
import type { MessageOrigin } from '../accept-message.ts';
import { roomOfPhones, waitingPerPhone } from './room-of-phones.ts';

/** A message that a ledger enqueues. `to` is the full number in digits. */
export type QueuedText = { profileId: number; to: string; message: string; origin: MessageOrigin };

/** Anything but `queued`: it was not taken, and stays where it waits. */
export type Queueing =
  | { kind: 'queued'; messageId: number }
  | { kind: 'no_connected_phone' }
  | { kind: 'daily_limit' }
  /** Its recipient has opted out since the ledger looked. */
  | { kind: 'opted_out' }
  /** Enough wait in the outbox already. */
  | { kind: 'no_room' };

/** What one call takes at the most: the project's phones are locked meanwhile. */
const largestBatch = 500;

/**
 * Enqueues messages: phones are chosen and counted as for a direct send, but none takes more than it drains
 * soon. Runs in the transaction that notes in the ledger which were taken, so that both are there or neither. Answers
 * in the order of `texts`; from the first on that was not taken for another reason than `opted_out`, none is.
 */
export async function queueMessages(tx: Tx, scope: ProjectScope, texts: readonly QueuedText[]): Promise<Queueing[]> {
  if (texts.length === 0) return [];
  const submissions = texts.map((text) => ({ ...text, key: undefined, onId: () => undefined }));
  const acceptances = await acceptMessages(tx, { ...scope, isQueued: true }, submissions);
  return acceptances.map((acceptance) => {
    switch (acceptance.kind) {
      case 'accepted':
        return { kind: 'queued', messageId: acceptance.message.id };
      case 'opted_out':
      case 'daily_limit':
      case 'no_room':
        return acceptance;
      case 'no_connected_phone':
      case 'phones_inactive':
      case 'sandbox_resting':
      case 'phones_limited':
        return { kind: 'no_connected_phone' };
      case 'replayed':
      case 'idempotency_conflict':
        throw new Error('A message without an Idempotency-Key was taken for another');
      default:
        return assertNever(acceptance);
    }
  });
}

/**
 * How many messages `queueMessages` would take of the project now. Zero while no phone is connected, while every phone
 * is at its maximum, and while enough wait already.
 */
export async function outboxRoom(ctx: Context, { accountId, projectId }: { accountId: number; projectId: number }) {
  const phones = await ctx.db
    .selectFrom('phones')
    .innerJoin('accounts', 'accounts.id', 'phones.account_id')
    .selectAll('phones')
    .select(['accounts.timezone', isResting.as('is_resting')])
    .where('phones.account_id', '=', accountId)
    .where('phones.project_id', '=', projectId)
    .execute();
  const now = ctx.clock.now();
  const assignments = assignPhones(phones, {
    count: Math.min(largestBatch, phones.length * waitingPerPhone),
    now,
    timezone: phones[0]?.timezone ?? 'UTC',
    room: await roomOfPhones(ctx, phones),
  });
  return assignments.filter(({ kind }) => kind === 'phone').length;
}
