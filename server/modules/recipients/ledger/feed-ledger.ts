import type { RawBuilder } from 'kysely';
import type { WaitingReason } from '#contracts/campaigns.ts';
import type { Account, Tx } from '#server/context.ts';
import { outboxRoom, reassignStranded } from '#server/modules/messages/index.ts';
import { findWaitingReason } from '../waiting-reason.ts';
import { findWaiting, handOver } from './hand-over.ts';
import type { HandedOver, Handled } from './hand-over.ts';
import type { Ledger } from './ledger.ts';

/** A source whose lock the transaction holds. */
export type FeedingSource = {
  account: Account;
  sourceId: number;
  projectId: number;
  template: string;
  waitingCount: number;
  queuedCount: number;
};

export type FeedStep = {
  /** How many may be handed over now; the project's phones are locked meanwhile. */
  most: number;
  /** The key after which they wait. */
  after: number;
  /** Who no longer fulfils it, over the table `profiles`, is skipped; undefined: nobody is asked again. */
  audience?: RawBuilder<boolean> | undefined;
};

export type Fed = {
  handled: readonly Handled[];
  /** What keeps the rest from being handed over; null with `isBlocked`: the phones have to drain first. */
  waitingFor: WaitingReason | null;
  isBlocked: boolean;
  /** How many messages the project's phones had room for. */
  room: number;
  /** Whether somebody may still wait. */
  isMoreWaiting: boolean;
};

/**
 * Hands waiting entries to the outbox, in their order and as many as the project's phones drain soon, each with the
 * profile as it is now; what is said of them in the ledger is committed with their messages. What was handed to a phone
 * that is not connected goes to another. Locks the phones after the source, as everyone does who needs both.
 */
export async function feedLedger(tx: Tx, ledger: Ledger, source: FeedingSource, step: FeedStep): Promise<Fed> {
  const scope = { account: source.account, projectId: source.projectId };
  const isStranded =
    source.queuedCount > 0 && (await reassignStranded({ ...tx, ...scope }, ledger.originOf(source.sourceId)));
  const nothing = { handled: [], isBlocked: false, room: 0, isMoreWaiting: source.waitingCount > 0 };
  if (source.waitingCount === 0) return { ...nothing, waitingFor: isStranded ? 'no_connected_phone' : null };
  if (step.most === 0) return { ...nothing, waitingFor: null };
  const room = await outboxRoom(tx, { accountId: source.account.id, projectId: source.projectId });
  if (room === 0) return { ...nothing, isBlocked: true, waitingFor: await findWaitingReason(tx, scope) };
  const limit = Math.min(step.most, room);
  const waiting = await findWaiting(tx, ledger, source, { ...step, limit });
  const handedOver = await handOver(tx, ledger, source, waiting);
  return {
    ...outcomeOf(handedOver),
    room,
    isMoreWaiting: handedOver.refusal !== undefined || waiting.length === limit,
  };
}

function outcomeOf({ handled, refusal }: HandedOver): Pick<Fed, 'handled' | 'isBlocked' | 'waitingFor'> {
  const waitingFor = refusal === undefined || refusal === 'no_room' ? null : refusal;
  return { handled, waitingFor, isBlocked: refusal !== undefined };
}
