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
import { longSlice, takeSlice } from './take-snapshot.ts';
import type { SliceBounds } from './take-snapshot.ts';
import { workOnCampaign } from './work-on-campaign.ts';

/** How often one process looks whether the other has taken a slice, or has ended amid it. */
const elsewhereMs = 1_000;

/** A campaign whose next slice is to be read. */
type SliceWork = FairWork & { size: number; long?: SliceBounds | undefined };

type Slices = { first: number; next(size: number, tookMs: number): number; long?: SliceBounds };

/** Takes snapshots and feeds the outbox. A slice is broken off at a stop, for another process to take anew. */
export function createCampaignRunner(
  ctx: Context,
  slices: Slices = { first: firstSliceSize, next: nextSliceSize, long: longSlice },
): Service {
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

  async function takeNextSlice({ size, long, ...work }: SliceWork): Promise<void> {
    const startedAt = performance.now();
    const taken = await takeSlice(ctx, refOf(work), { size, long, signal: stopping.signal });
    // Where many match, finding them all for each slice would cost more than asking them.
    if (taken === 'full') snapshots.wake({ ...work, size });
    else if (taken === 'more')
      snapshots.wake({ ...work, long, size: slices.next(size, performance.now() - startedAt) });
    else runner.wake(work, taken === 'done' ? 0 : elsewhereMs);
  }

  async function takeStep(work: FairWork): Promise<SourceStep> {
    const { next, hasChanged } = await workOnCampaign(ctx, refOf(work));
    if (next !== 'snapshot') return { next, hasChanged };
    snapshots.wake({ ...work, size: slices.first, long: slices.long });
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
