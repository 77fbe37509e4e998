import type { LiveEvent } from '#contracts/live.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { createBackoff } from '#server/platform/backoff.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';

/** Poll interval, in case a notification was missed. */
const pollMs = 5_000;
/**
 * Sources that wait for a phone, a cap or a subscription are notified of it; every so many polls they are tried all the
 * same.
 */
const pollsPerRetry = 3;
/** How long the phones are given to drain before that is looked at again; settling them notifies as well. */
const drainMs = 150;
/** Settlements within this time are added up together. */
const gatherMs = 15;
const busyMs = 100;
/** A source that fails is left alone for a while, longer each time. */
const faultPause = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** How often the open pages are notified of one source at the most. */
const newsGatherMs = 400;
const failsAfterMs = 60_000;

/** The next time for a source after a step: at once, once its phones have drained, or at a time; undefined: never. */
export type SourceStep = {
  next: 'now' | 'drained' | 'busy' | Date | undefined;
  /** Whether open pages have something new to show. */
  hasChanged: boolean;
};

type Options = {
  /** Of the service. */
  name: string;
  /** Its payloads are `[accountId]` or `[accountId, id]`, in JSON. */
  channel: string;
  /** Of all accounts; those that wait for something outside themselves only with `withWaiting`. */
  findUnderWay(options: { withWaiting: boolean; withinMs: number }): Promise<FairWork[]>;
  findOfAccount(accountId: number): Promise<FairWork[]>;
  step(work: FairWork): Promise<SourceStep>;
  eventOf(id: number): LiveEvent;
  /** However soon more is due: what comes due together then goes together. */
  leastPauseMs?: number;
};

export type SourceRunner = Service & {
  wake(work: FairWork, afterMs?: number): void;
  /** Runs a piece of a source's work; one that fails is logged, and tried again with a step. Must not throw. */
  attempt(work: FairWork, run: () => Promise<void>): Promise<void>;
};

/** Takes the sources of one ledger further step by step, each account in its turn. */
export function createSourceRunner(ctx: Context, options: Options): SourceRunner {
  const { name, channel, findUnderWay, findOfAccount, step, eventOf, leastPauseMs = gatherMs } = options;
  const health = createHealth({ service: name, logger: ctx.logger });
  const stepping = health.task('steps', { failsAfterMs });
  const backoff = createBackoff<number>(faultPause);
  const news = createGatherer<FairWork>(
    { task: health.task('news', { failsAfterMs }), afterMs: newsGatherMs },
    async (changed) => {
      const events = changed.map(({ accountId, id }) => ({ accountId, event: eventOf(id) }));
      await inTransaction(ctx, (tx) => publishAllLive(tx, events));
    },
  );
  const steps = createFairTurns({ maxRunning: 4, maxPerAccount: 2, run: (work) => attempt(work, () => take(work)) });

  async function attempt(work: FairWork, run: () => Promise<void>): Promise<void> {
    const pauseMs = backoff.pauseOf(work.id);
    if (pauseMs > 0) return steps.wake(work, pauseMs);
    try {
      await run();
      backoff.succeeded(work.id);
      stepping.succeeded();
    } catch (error) {
      ctx.logger.error({ service: name, ...work }, 'could not be taken further');
      stepping.failed(error);
      steps.wake(work, backoff.failed(work.id));
    }
  }

  async function take(work: FairWork): Promise<void> {
    const { next, hasChanged } = await step(work);
    if (hasChanged) news.add(String(work.id), work);
    if (next) steps.wake(work, pauseBefore(next, { now: ctx.clock.now(), leastPauseMs }));
  }

  function wakeAll(sources: readonly FairWork[]): void {
    for (const work of sources) steps.wake(work);
  }

  let polls = 0;
  const poll = createRunner(
    async () => {
      wakeAll(await findUnderWay({ withWaiting: polls % pollsPerRetry === 0, withinMs: pollMs }));
      polls += 1;
    },
    health.task('poll', { failsAfterMs }),
  );
  const accounts = createGatherer<number>(
    { task: health.task('accounts', { failsAfterMs }), afterMs: gatherMs },
    async (accountIds) => {
      for (const accountId of accountIds) wakeAll(await findOfAccount(accountId));
    },
  );

  function onNotification(payload: string): void {
    const [accountId, id] = JSON.parse(payload) as [number, number?];
    if (id === undefined) accounts.add(String(accountId), accountId);
    else steps.wake({ accountId, id }, gatherMs);
  }

  const polling = createPolling(ctx.listener, { channels: { [channel]: onNotification }, pollMs, poll: poll.request });
  return {
    name,
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      await Promise.all([poll, accounts, steps].map((part) => part.stop()));
      await news.stop();
    },
    wake: steps.wake,
    attempt,
  };
}

/** How long a source is left alone that has more to do, in milliseconds. */
function pauseBefore(
  next: Exclude<SourceStep['next'], undefined>,
  { now, leastPauseMs }: { now: Date; leastPauseMs: number },
): number {
  switch (next) {
    case 'now':
      return 0;
    case 'drained':
      return drainMs;
    case 'busy':
      return busyMs;
    default: {
      const untilMs = next.getTime() - now.getTime();
      return untilMs <= 0 ? 0 : Math.min(pollMs, Math.max(leastPauseMs, untilMs));
    }
  }
}
