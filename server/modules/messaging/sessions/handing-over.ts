import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findFree } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { phoneNotifications } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { BalanceReader } from './balance.ts';
import { settlesWithin } from './settles-within.ts';
import type { PhoneSession } from './phone-session.ts';
import { phonesToHandOver } from './share.ts';

/** The time that sends under way get on a phone that is given up; the rest is sent again under the same id. */
const drainMs = 2_000;

/** The others go first for so long. */
const offeredMs = 10_000;

export type HandingOver = {
  /** Looks whether this worker holds more than its share. */
  request(): void;
  /** Given up a moment ago: for others to take. */
  offered(): number[];
  /** Closing, with its lease still held. */
  leaving(phoneId: number): PhoneSession | undefined;
  leavingCount(): number;
  stop(): Promise<void>;
};

type Options = {
  balance: BalanceReader;
  sessions: Map<number, PhoneSession>;
  giveBack(lease: Lease): Promise<void>;
  task: Task;
};

/** Gives up phones beyond this worker's share, a few at a time: each is closed, released and announced by itself. */
export function createHandingOver(ctx: Context, { balance, sessions, giveBack, task }: Options): HandingOver {
  const leaving = new Map<number, PhoneSession>();
  /** Until when, by `performance.now()`. */
  const offered = new Map<number, number>();

  const runner = createRunner(async () => {
    await forgetTaken();
    const count = phonesToHandOver(await balance.read(), { held: sessions.size, underWay: offered.size });
    await Promise.all(choose(count).map(handOver));
  }, task);

  async function forgetTaken(): Promise<void> {
    const free = await findFree(ctx, [...offered.keys()]);
    for (const [phoneId, until] of offered) {
      if (!free.has(phoneId) || performance.now() >= until) offered.delete(phoneId);
    }
  }

  /** Chooses the sessions with the least under way. */
  function choose(count: number): PhoneSession[] {
    if (count === 0) return [];
    return [...sessions.values()]
      .filter((session) => session.isMovable())
      .toSorted((a, b) => a.underWay().length - b.underWay().length)
      .slice(0, count);
  }

  async function handOver(session: PhoneSession): Promise<void> {
    const { lease } = session;
    sessions.delete(lease.phoneId);
    leaving.set(lease.phoneId, session);
    offered.set(lease.phoneId, performance.now() + offeredMs);
    await settlesWithin(drainMs, session.drain());
    await session.close().catch((error: unknown) => ctx.logger.warn({ err: error }, 'a session did not close'));
    // Interrupted sends are recorded while the lease still counts.
    await settlesWithin(drainMs, session.drain());
    leaving.delete(lease.phoneId);
    await giveBack(lease);
    await announceFree(ctx, [lease.phoneId]);
  }

  return {
    request: runner.request,
    offered: () => [...offered.keys()],
    leaving: (phoneId) => leaving.get(phoneId),
    leavingCount: () => leaving.size,
    stop: runner.stop,
  };
}

/** Has the other workers take these phones at once. They find them by polling as well. */
export async function announceFree(ctx: Context, phoneIds: readonly number[]): Promise<void> {
  await inTransaction(ctx, (tx) => notify(tx.db, phoneNotifications(phoneIds)));
}
