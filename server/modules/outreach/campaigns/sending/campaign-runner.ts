import type { Context } from '#server/context.ts';
import { createSourceRunner } from '#server/modules/outreach/recipients/index.ts';
import type { SourceStep } from '#server/modules/outreach/recipients/index.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';
import type { Service } from '#server/platform/service.ts';
import { campaignsChannel } from '../channels.ts';
import type { CampaignRef } from '../queries.ts';
import { findOfAccount, findUnderWay } from './find-under-way.ts';
import { firstSliceSize, nextSliceSize } from '#server/platform/slice-size.ts';
import { takeSlice } from './take-snapshot.ts';
import { workOnCampaign } from './work-on-campaign.ts';

/** How often one process looks whether the other has taken a slice, or has ended amid it. */
const elsewhereMs = 1_000;

/** A campaign whose next slice is to be read. */
type SliceWork = FairWork & { size: number };

/** Takes snapshots and feeds the outbox. A slice is broken off at a stop, for another process to take anew. */
export function createCampaignRunner(ctx: Context, slices = { first: firstSliceSize, next: nextSliceSize }): Service {
  const stopping = new AbortController();
  const runner = createSourceRunner(ctx, {
    name: 'campaigns',
    channel: campaignsChannel,
    findUnderWay: (options) => findUnderWay(ctx, options),
    findOfAccount: (accountId) => findOfAccount(ctx, accountId),
    step: takeStep,
    eventOf: (id) => ({ type: 'campaigns.changed', campaign_id: id }),
  });
  // They read much: few of them are enough beside everything else, and one of an account.
  const snapshots = createFairTurns<SliceWork>({
    maxRunning: 2,
    maxPerAccount: 1,
    run: (work) => runner.attempt(work, () => takeNextSlice(work)),
  });

  async function takeNextSlice({ size, ...work }: SliceWork): Promise<void> {
    const startedAt = performance.now();
    const taken = await takeSlice(ctx, refOf(work), { size, signal: stopping.signal });
    if (taken === 'more') snapshots.wake({ ...work, size: slices.next(size, performance.now() - startedAt) });
    else runner.wake(work, taken === 'done' ? 0 : elsewhereMs);
  }

  async function takeStep(work: FairWork): Promise<SourceStep> {
    const { next, hasChanged } = await workOnCampaign(ctx, refOf(work));
    if (next !== 'snapshot') return { next, hasChanged };
    snapshots.wake({ ...work, size: slices.first });
    return { next: undefined, hasChanged };
  }

  return {
    ...runner,
    async stop() {
      stopping.abort();
      await Promise.all([runner, snapshots].map((part) => part.stop()));
    },
  };
}

const refOf = ({ accountId, id }: FairWork): CampaignRef => ({ accountId, campaignId: id });
