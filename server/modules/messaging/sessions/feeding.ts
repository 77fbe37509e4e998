import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import {
  claimMessages,
  claimQueued,
  findPhonesWithQueued,
  findPhonesWithWaiting,
  recoverMessages,
  returnUnsent,
} from '#server/modules/messaging/messages/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { PhoneSession } from './phone-session.ts';
import type { Claiming } from './send-slots.ts';

/** A claim of this many messages says that more are coming. */
const busyClaim = 16;
const busyPauseMs = 10;

/** The most that one phone is given at a time. */
const maxClaim = 100;

/** Clocks are set, and what holds a message back may end sooner. */
const longestWaitMs = 60_000;

export type Feeding = {
  /** Something may wait for this phone, and it may have room; one that is not held here is left out. */
  feed(phoneId: number): void;
  /** Whether something was claimed for this phone is not known: what nobody sends goes back to waiting. */
  recount(phoneId: number): void;
  /** Whether nothing was claimed for this phone that nobody knows of. */
  isCertain(phoneId: number): boolean;
  /** Looks for what waits, in case a notification was missed, and for what falls due with time. */
  poll(): void;
  stop(): Promise<void>;
};

/** Gives the sessions the messages that wait for their phones: one statement claims for all that are named. */
export function createFeeding(
  ctx: Context,
  { sessions, task }: { sessions: ReadonlyMap<number, PhoneSession>; task: Task },
): Feeding {
  const requested = new Set<number>();
  /** Each doubt is one of its own. */
  const uncertain = new Map<number, symbol>();
  const timers = new Map<number, NodeJS.Timeout>();
  let isPollDue = false;
  /** Phones with messages of an earlier holder, at the last poll. */
  let seenClaimedLate: ReadonlySet<number> = new Set();

  const runner = createRunner(async () => {
    await lookForWaiting();
    await returnUnclaimed();
    const claims = takeRequested().flatMap((session) => {
      const { lease, connector } = session;
      const claiming = session.claim();
      if (!claiming) return [];
      const room = Math.min(claiming.room, maxClaim);
      const networkIds = Array.from({ length: room }, () => connector.createNetworkId());
      return [{ lease, networkIds, claiming }];
    });
    const messages = await claimMessages(ctx, claims).catch((error: unknown) => {
      for (const claim of claims) giveUp(claim);
      throw error;
    });
    const taken = Map.groupBy(messages, ({ phoneId }) => phoneId);
    for (const { lease, networkIds, claiming } of claims) {
      const ofPhone = taken.get(lease.phoneId) ?? [];
      // A phone that got all it had room for may have more waiting.
      const isFull = ofPhone.length === networkIds.length;
      for (const message of ofPhone) {
        const sent = claiming.send(message);
        if (isFull) void sent.finally(() => feed(message.phoneId));
      }
      claiming.end(true);
    }
    await claimAllQueued(claims.map(({ lease }) => lease.phoneId));
    // Under load a pause lets more messages share the next claim, and all that follows it.
    if (messages.length >= busyClaim) await delay(busyPauseMs);
  }, task);

  /** Claims for phones that keep a pace: one message each; messages that may not go now are looked at when they may. */
  async function claimAllQueued(phoneIds: readonly number[]): Promise<void> {
    for (const phoneId of await findPhonesWithQueued(ctx, phoneIds)) {
      const session = sessions.get(phoneId);
      const claiming = session?.claim('queued');
      if (!session || !claiming) continue;
      const { lease, connector } = session;
      const claimed = claimQueued(ctx, { lease, networkId: connector.createNetworkId() });
      const { message, nextAt } = await claimed.catch((error: unknown) => {
        giveUp({ lease, claiming });
        throw error;
      });
      if (message) void claiming.send(message).finally(() => feed(phoneId));
      claiming.end(true);
      if (message) continue;
      if (nextAt) feedLater(phoneId, nextAt.getTime() - ctx.clock.now().getTime());
    }
  }

  function feedLater(phoneId: number, waitMs: number): void {
    clearTimeout(timers.get(phoneId));
    timers.set(phoneId, setTimeout(() => feed(phoneId), Math.min(Math.max(waitMs, 1), longestWaitMs)).unref());
  }

  async function lookForWaiting(): Promise<void> {
    if (!isPollDue) return;
    isPollDue = false;
    const leases = [...sessions.values()].map(({ lease }) => lease);
    const { waiting, claimedLate } = await findPhonesWithWaiting(ctx, leases);
    for (const phoneId of waiting) requested.add(phoneId);
    // The session that claimed them may still be giving them back, and knows better what became of them.
    const claimedLongAgo = claimedLate.filter((phoneId) => seenClaimedLate.has(phoneId));
    seenClaimedLate = new Set(claimedLate);
    for (const phoneId of claimedLongAgo) {
      const session = sessions.get(phoneId);
      if (session) await recoverMessages(ctx, session.lease, session.connector);
      requested.add(phoneId);
    }
  }

  /** They may have been claimed all the same. */
  function giveUp({ lease, claiming }: { lease: Lease; claiming: Claiming }): void {
    uncertain.set(lease.phoneId, Symbol('claim'));
    claiming.end(false);
  }

  async function returnUnclaimed(): Promise<void> {
    for (const [phoneId, doubt] of uncertain) {
      const session = sessions.get(phoneId);
      if (session) await returnUnsent(ctx, session.lease, session.underWay());
      // Another doubt may have come meanwhile.
      if (uncertain.get(phoneId) === doubt) uncertain.delete(phoneId);
      requested.add(phoneId);
    }
  }

  function takeRequested(): PhoneSession[] {
    const found = [...requested].flatMap((phoneId) => sessions.get(phoneId) ?? []);
    requested.clear();
    return found;
  }

  function feed(phoneId: number): void {
    clearTimeout(timers.get(phoneId));
    timers.delete(phoneId);
    if (!sessions.has(phoneId)) return;
    requested.add(phoneId);
    runner.request();
  }

  return {
    feed,
    recount(phoneId) {
      uncertain.set(phoneId, Symbol('place'));
      runner.request();
    },
    isCertain: (phoneId) => !uncertain.has(phoneId),
    poll() {
      isPollDue = true;
      runner.request();
    },
    async stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      await runner.stop();
    },
  };
}
