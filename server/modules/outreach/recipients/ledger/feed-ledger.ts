import type { Tx } from '#server/context.ts';
import { findHeldOfOrigin, findOutboxRoom, reassignStranded } from '#server/modules/messaging/messages/index.ts';
import { hasCaps } from '#server/modules/outreach/caps/index.ts';
import { dayAfter, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import type { FeedingSource, FeedStep } from './feeding-source.ts';
import { findWaitingReason, notWaiting } from '../waiting-reason.ts';
import type { Waiting } from '../waiting-reason.ts';
import { feedPaced } from './feed-paced.ts';
import { feedPassing } from './feed-passing.ts';
import { findLedgerHold, findQueuedHold } from './find-ledger-hold.ts';
import { findWaiting, handOver } from './hand-over.ts';
import type { HandedOver, Handled } from './hand-over.ts';
import type { Ledger } from './ledger.ts';
import { endPasses } from './paced-pass.ts';
import { recallThese } from './recall-queued.ts';

/** `waitingFor`: what keeps the rest from being handed over; null with `isBlocked`: the phones have to drain first. */
export type Fed = Waiting & {
  handled: readonly Handled[];
  isBlocked: boolean;
  /** How many messages the project's phones had room for. */
  room: number;
  /** Whether somebody may still wait. */
  isMoreWaiting: boolean;
  /** When the pace of the phones may let more go, where nothing went for it. */
  nextAt?: Date | undefined;
  /** Phones keep a pace: entries are handed over in any order. */
  isPaced?: boolean;
  /** The keys of entries that came back from phones that may not send them now. */
  recalled: readonly number[];
};

/**
 * Hands waiting entries to the outbox, in their order and as many as the project's phones drain soon, each with the
 * profile as it is now; what is said of them in the ledger is committed with their messages. Entries handed to a phone
 * that is not connected go to another. Locks the phones after the source, as everyone does who needs both.
 */
export async function feedLedger(tx: Tx, ledger: Ledger, source: FeedingSource, step: FeedStep): Promise<Fed> {
  const scope = { account: source.account, projectId: source.projectId };
  const carried = { businessAccountId: source.bound?.binding.business_account_id };
  const isStranded =
    source.queuedCount > 0 && (await reassignStranded({ ...tx, ...scope }, ledger.originOf(source.sourceId)));
  const recalled = source.queuedCount > 0 ? await recallHeld(tx, ledger, source) : [];
  const nothing = {
    ...notWaiting,
    handled: [],
    recalled,
    isBlocked: false,
    room: 0,
    isMoreWaiting: source.waitingCount + recalled.length > 0,
  };
  if (source.waitingCount === 0 && recalled.length === 0)
    endPasses(tx, ledger, { accountId: source.account.id, sourceId: source.sourceId });
  if (source.waitingCount === 0) {
    if (isStranded) return { ...nothing, waitingFor: 'no_connected_phone' };
    return source.queuedCount === 0 ? nothing : { ...nothing, ...(await findQueuedHold(tx, ledger, source)) };
  }
  if (source.bound?.hold) return { ...nothing, isBlocked: true, ...source.bound.hold };
  if (step.most === 0) return nothing;
  const { count: room, paced, nextAt, mayPass, hold } = await findOutboxRoom(tx, scope, carried);
  if (room === 0) {
    const waiting =
      (await findWaitingReason(tx, scope, carried)) ?? hold ?? (await findLedgerHold(tx, ledger, source, step));
    return { ...nothing, isBlocked: true, nextAt, ...waiting };
  }
  const isCapped =
    ledger.name !== 'bulk_run' && source.rules.when_capped === 'wait' && (await hasCaps(tx, source.account.id));
  if (paced) {
    const fed = await feedPaced(tx, ledger, source, { ...step, paced });
    const isSearching = fed.nextAt === undefined;
    const isIdle = fed.handled.length === 0 && fed.refusal === undefined;
    const held = isSearching ? source.waiting : await findLedgerHold(tx, ledger, source, step);
    const waiting = isCapped && !isSearching && held.waitingFor === null ? untilTomorrow(tx, source) : held;
    return {
      ...outcomeOf(fed),
      ...(isIdle && waiting),
      room,
      recalled,
      nextAt: fed.nextAt,
      isPaced: true,
      isMoreWaiting: true,
    };
  }
  const limit = Math.min(step.most, room);
  if (mayPass || isCapped) {
    const {
      hasPassed,
      isMoreWaiting,
      nextAt: goesOnAt,
      waitingFor,
      ...fed
    } = await feedPassing(tx, ledger, source, {
      ...step,
      limit,
    });
    const idle =
      goesOnAt &&
      (waitingFor === 'contact_capped' ? untilTomorrow(tx, source) : { waitingFor, waitingUntil: goesOnAt });
    return { ...outcomeOf(fed), ...idle, room, recalled, nextAt: goesOnAt, isPaced: hasPassed, isMoreWaiting };
  }
  const waiting = await findWaiting(tx, ledger, source, { ...step, limit });
  const handedOver = await handOver(tx, ledger, source, waiting);
  return {
    ...outcomeOf(handedOver),
    room,
    recalled,
    isMoreWaiting: handedOver.refusal !== undefined || waiting.length === limit,
  };
}

function untilTomorrow({ clock }: Tx, { account }: FeedingSource): Waiting {
  const today = localDay(clock.now(), account.timezone);
  return { waitingFor: 'contact_capped', waitingUntil: startOfLocalDay(dayAfter(today), account.timezone) };
}

function outcomeOf({ handled, refusal }: HandedOver): Pick<Fed, 'handled' | 'isBlocked' | keyof Waiting> {
  const waiting =
    refusal === undefined || refusal.kind === 'no_room'
      ? notWaiting
      : { waitingFor: refusal.kind, waitingUntil: refusal.until ?? null };
  return { handled, ...waiting, isBlocked: refusal !== undefined };
}

async function recallHeld(tx: Tx, ledger: Ledger, { account, projectId, sourceId }: FeedingSource): Promise<number[]> {
  const messageIds = await findHeldOfOrigin({ ...tx, account, projectId }, ledger.originOf(sourceId));
  return messageIds.length === 0 ? [] : recallThese(tx, ledger, { accountId: account.id, sourceId, messageIds });
}
