import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/live/index.ts';
import { createBackoff } from '#server/platform/backoff.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { bulkRunsChannel } from '../channels.ts';
import type { BulkRunRef } from '../queries.ts';
import { findOfAccount, findUnderWay } from './find-under-way.ts';
import { workOnBulkRun } from './work-on-bulk-run.ts';
import type { Turn } from './work-on-bulk-run.ts';

/** Poll interval, in case a notification was missed. */
const pollMs = 5_000;
/** Those that wait for a phone, a cap or a subscription are notified of it; every so many polls they are tried all the same. */
const pollsPerRetry = 3;
/** How long the phones are given to drain before that is looked at again; settling them notifies as well. */
const drainMs = 150;
/** What settles together is added up together. */
const gatherMs = 15;
const busyMs = 100;
/** However short the delay is: several rows go together then. */
const leastPauseMs = 200;
/** A run that fails is left alone for a while, longer each time. */
const faultPause = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** How often the open pages are notified of one run at the most. */
const newsGatherMs = 400;
const failsAfterMs = 60_000;

/** Feeds the outbox with the rows of bulk runs. */
export function createBulkRunner(ctx: Context): Service {
  const health = createHealth({ service: 'bulk runs', logger: ctx.logger });
  const stepping = health.task('steps', { failsAfterMs });
  const backoff = createBackoff<number>(faultPause);
  const news = createGatherer<BulkRunRef>(
    { task: health.task('news', { failsAfterMs }), afterMs: newsGatherMs },
    (changed) => publishChanged(ctx, changed),
  );
  const steps = createFairTurns({ maxRunning: 4, maxPerAccount: 2, run: attempt });

  async function attempt(work: FairWork): Promise<void> {
    const pauseMs = backoff.pauseOf(work.id);
    if (pauseMs > 0) return steps.wake(work, pauseMs);
    const ref = { accountId: work.accountId, runId: work.id };
    try {
      const { next, hasChanged } = await workOnBulkRun(ctx, ref);
      if (hasChanged) news.add(String(work.id), ref);
      if (next) steps.wake(work, restMs(next, ctx.clock.now()));
      backoff.succeeded(work.id);
      stepping.succeeded();
    } catch (error) {
      ctx.logger.error(ref, 'a bulk run could not be taken further');
      stepping.failed(error);
      steps.wake(work, backoff.failed(work.id));
    }
  }

  function wakeAll(refs: readonly BulkRunRef[]): void {
    for (const { accountId, runId } of refs) steps.wake({ accountId, id: runId });
  }

  let polls = 0;
  const poll = createRunner(
    async () => {
      wakeAll(await findUnderWay(ctx, { withWaiting: polls % pollsPerRetry === 0 }));
      polls += 1;
    },
    health.task('poll', { failsAfterMs }),
  );
  const accounts = createGatherer<number>(
    { task: health.task('accounts', { failsAfterMs }), afterMs: gatherMs },
    async (accountIds) => {
      for (const accountId of accountIds) wakeAll(await findOfAccount(ctx, accountId));
    },
  );

  function onNotification(payload: string): void {
    const [accountId, runId] = JSON.parse(payload) as [number, number?];
    if (runId === undefined) accounts.add(String(accountId), accountId);
    else steps.wake({ accountId, id: runId }, gatherMs);
  }

  const polling = createPolling(ctx.listener, {
    channels: { [bulkRunsChannel]: onNotification },
    pollMs,
    poll: poll.request,
  });
  return {
    name: 'bulk runs',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      await Promise.all([poll, accounts, steps].map((part) => part.stop()));
      await news.stop();
    },
  };
}

/** How long a run is left alone that has more to do. */
function restMs(next: Exclude<Turn['next'], undefined>, now: Date): number {
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

async function publishChanged(ctx: Context, changed: readonly BulkRunRef[]): Promise<void> {
  const events = changed.map(({ accountId, runId }) => ({
    accountId,
    event: { type: 'bulk_runs.changed', bulk_run_id: runId } as const,
  }));
  await inTransaction(ctx, (tx) => publishAllLive(tx, events));
}
