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
import type { CampaignRef } from '../queries.ts';
import { findOfAccount, findUnderWay } from './find-under-way.ts';
import { firstSliceSize, nextSliceSize } from './slice-size.ts';
import { takeSlice } from './take-snapshot.ts';
import { workOnCampaign } from './work-on-campaign.ts';
import type { Turn } from './work-on-campaign.ts';
import { campaignsChannel } from '../channels.ts';

/** Poll interval, in case a notification was missed. */
const pollMs = 5_000;
/** Those that wait for a phone, a cap or a subscription are notified of it; every so many polls they are tried all the same. */
const pollsPerRetry = 3;
/** How long the phones are given to drain before that is looked at again; settling them notifies as well. */
const drainMs = 150;
/** What settles together is added up together. */
const gatherMs = 15;
const busyMs = 100;
/** How often one process looks whether the other has taken a slice, or has ended amid it. */
const elsewhereMs = 1_000;
/** A campaign that fails is left alone for a while, longer each time. */
const faultPause = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** How often the open pages are notified of one campaign at the most. */
const newsGatherMs = 400;
const failsAfterMs = 60_000;

/** A campaign whose next slice is to be read. */
type SliceWork = FairWork & { size: number };

/** Takes snapshots and feeds the outbox. A slice is broken off at a stop, for another process to take anew. */
export function createCampaignRunner(ctx: Context, slices = { first: firstSliceSize, next: nextSliceSize }): Service {
  const health = createHealth({ service: 'campaigns', logger: ctx.logger });
  const stopping = new AbortController();
  const stepping = health.task('steps', { failsAfterMs });
  const backoff = createBackoff<number>(faultPause);
  const news = createGatherer<CampaignRef>(
    { task: health.task('news', { failsAfterMs }), afterMs: newsGatherMs },
    (changed) => publishChanged(ctx, changed),
  );
  const steps = createFairTurns({
    maxRunning: 4,
    maxPerAccount: 2,
    run: (work) => attempt(work, () => takeStep(work)),
  });
  // They read much: few of them are enough beside everything else, and one of an account.
  const snapshots = createFairTurns<SliceWork>({
    maxRunning: 2,
    maxPerAccount: 1,
    run: (work) => attempt(work, () => takeNextSlice(work)),
  });

  async function attempt(work: FairWork, run: () => Promise<void>): Promise<void> {
    const pauseMs = backoff.pauseOf(work.id);
    if (pauseMs > 0) return steps.wake(work, pauseMs);
    try {
      await run();
      backoff.succeeded(work.id);
      stepping.succeeded();
    } catch (error) {
      ctx.logger.error(refOf(work), 'a campaign could not be taken further');
      stepping.failed(error);
      steps.wake(work, backoff.failed(work.id));
    }
  }

  async function takeNextSlice({ size, ...work }: SliceWork): Promise<void> {
    const startedAt = performance.now();
    const taken = await takeSlice(ctx, refOf(work), { size, signal: stopping.signal });
    if (taken === 'more') snapshots.wake({ ...work, size: slices.next(size, performance.now() - startedAt) });
    else steps.wake(work, taken === 'done' ? 0 : elsewhereMs);
  }

  async function takeStep(work: FairWork): Promise<void> {
    const { next, hasChanged } = await workOnCampaign(ctx, refOf(work));
    if (hasChanged) news.add(String(work.id), refOf(work));
    if (next === 'snapshot') snapshots.wake({ ...work, size: slices.first });
    else if (next) steps.wake(work, restMs(next, ctx.clock.now()));
  }

  function wakeAll(refs: readonly CampaignRef[]): void {
    for (const { accountId, campaignId } of refs) steps.wake({ accountId, id: campaignId });
  }

  let polls = 0;
  const poll = createRunner(
    async () => {
      const withWaiting = polls % pollsPerRetry === 0;
      wakeAll(await findUnderWay(ctx, { withWaiting, withinMs: pollMs }));
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
    const [accountId, campaignId] = JSON.parse(payload) as [number, number?];
    if (campaignId === undefined) accounts.add(String(accountId), accountId);
    else steps.wake({ accountId, id: campaignId }, gatherMs);
  }

  const polling = createPolling(ctx.listener, {
    channels: { [campaignsChannel]: onNotification },
    pollMs,
    poll: poll.request,
  });
  return {
    name: 'campaigns',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      stopping.abort();
      await Promise.all([poll, accounts, steps, snapshots].map((part) => part.stop()));
      await news.stop();
    },
  };
}

/** How long a campaign is left alone that has more to do. */
function restMs(next: Exclude<Turn['next'], 'snapshot' | undefined>, now: Date): number {
  switch (next) {
    case 'now':
      return 0;
    case 'drained':
      return drainMs;
    case 'busy':
      return busyMs;
    default:
      return Math.min(pollMs, Math.max(gatherMs, next.getTime() - now.getTime()));
  }
}

async function publishChanged(ctx: Context, changed: readonly CampaignRef[]): Promise<void> {
  const events = changed.map(({ accountId, campaignId }) => ({
    accountId,
    event: { type: 'campaigns.changed', campaign_id: campaignId } as const,
  }));
  await inTransaction(ctx, (tx) => publishAllLive(tx, events));
}

const refOf = ({ accountId, id }: FairWork): CampaignRef => ({ accountId, campaignId: id });
