import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/live/index.ts';
import { channels } from '#server/platform/db/channels.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { FairTurns, FairWork } from '#server/platform/fair-turns.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import type { CampaignRef } from '../queries.ts';
import { findOfAccount, findUnderWay } from './find-under-way.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { workOnCampaign } from './work-on-campaign.ts';
import type { Turn } from './work-on-campaign.ts';

/** Takes snapshots and feeds the outbox. Any number of processes may run one on the same database. */
export type CampaignRunner = {
  start(): void;
  /** Resolves once the steps under way are done; a snapshot is broken off, for another process to take anew. */
  stop(): Promise<void>;
};

/** How often campaigns are looked for that nobody told of. */
const scanMs = 5_000;
/** Those that wait for a phone, a cap or a subscription are told of it; every so many scans they are tried all the same. */
const scansPerRetry = 3;
/** How long the phones are given to drain before that is looked at again; settling them tells as well. */
const drainMs = 150;
/** What settles together is added up together. */
const gatherMs = 15;
const busyMs = 100;
/** How often one process looks whether the other has taken a snapshot, or has ended amid it. */
const elsewhereMs = 1_000;
const faultMs = 5_000;
/** How often the open pages are told of one campaign at the most. */
const tellMs = 400;

export function createCampaignRunner(ctx: Context): CampaignRunner {
  const { logger } = ctx;
  const stopping = new AbortController();
  const unsubscribe: (() => void)[] = [];
  const news = createGatherer<CampaignRef>({ logger, afterMs: tellMs }, (changed) => tell(ctx, changed));
  const steps = createFairTurns({ maxRunning: 4, maxPerAccount: 2, run: takeStep });
  // They read much: few of them are enough beside everything else, and one of an account.
  const snapshots = createFairTurns({
    maxRunning: 2,
    maxPerAccount: 1,
    async run(work) {
      const ref = refOf(work);
      try {
        const taken = await takeSnapshot(ctx, ref, stopping.signal);
        steps.wake(work, taken === 'done' ? 0 : elsewhereMs);
      } catch (err) {
        logger.error({ err, ...ref }, 'the recipients of a campaign could not be taken down');
      }
    },
  });

  async function takeStep(work: FairWork): Promise<void> {
    const ref = refOf(work);
    try {
      const { next, hasChanged } = await workOnCampaign(ctx, ref);
      if (hasChanged) news.add(String(ref.campaignId), ref);
      if (next === 'snapshot') snapshots.wake(work);
      else if (next) steps.wake(work, restMs(next, ctx.clock.now()));
    } catch (err) {
      logger.error({ err, ...ref }, 'a campaign could not be taken further');
      steps.wake(work, faultMs);
    }
  }

  function hear(payload: string): void {
    const [accountId, campaignId] = JSON.parse(payload) as [number, number?];
    if (campaignId === undefined) void wakeAll(ctx, steps, () => findOfAccount(ctx, accountId));
    else steps.wake({ accountId, id: campaignId }, gatherMs);
  }

  return {
    start() {
      const scan = createScan(ctx, steps);
      const timer = setInterval(scan, scanMs);
      unsubscribe.push(ctx.listener.subscribe(channels.campaigns, hear), ctx.listener.onGap(scan), () =>
        clearInterval(timer),
      );
      scan();
    },
    async stop() {
      for (const stop of unsubscribe.splice(0)) stop();
      stopping.abort();
      await Promise.all([steps.stop(), snapshots.stop()]);
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
      return Math.min(scanMs, Math.max(gatherMs, next.getTime() - now.getTime()));
  }
}

async function tell(ctx: Context, changed: readonly CampaignRef[]): Promise<void> {
  const notices = changed.map(({ accountId, campaignId }) => ({
    accountId,
    event: { type: 'campaigns.changed', campaign_id: campaignId } as const,
  }));
  await inTransaction(ctx, (tx) => publishAllLive(tx, notices));
}

const refOf = ({ accountId, id }: FairWork): CampaignRef => ({ accountId, campaignId: id });

async function wakeAll(
  ctx: Context,
  steps: FairTurns<FairWork>,
  find: () => Promise<readonly CampaignRef[]>,
): Promise<void> {
  try {
    for (const { accountId, campaignId } of await find()) steps.wake({ accountId, id: campaignId });
  } catch (err) {
    ctx.logger.error({ err }, 'campaigns could not be looked for');
  }
}

/** Wakes those that have something to do and that nobody told of. */
function createScan(ctx: Context, steps: FairTurns<FairWork>): () => void {
  let scans = 0;
  return () => {
    const withWaiting = scans % scansPerRetry === 0;
    scans += 1;
    void wakeAll(ctx, steps, () => findUnderWay(ctx, { withWaiting, withinMs: scanMs }));
  };
}
