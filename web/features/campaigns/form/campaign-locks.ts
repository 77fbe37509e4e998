import type { Campaign } from '#contracts/campaigns.ts';
import { hasEnded } from '../campaign-state.ts';

/** A part that cannot be changed any more; without a reason of its own where nothing but the name can be. */
export type Lock = { reason: string | undefined };

export type CampaignLocks = {
  /** Project and segment. */
  target?: Lock;
  message?: Lock;
  start?: Lock;
  pace?: Lock;
};

/** The locked parts of a campaign; none for a new campaign. */
export function locksOf(campaign: Campaign | undefined): CampaignLocks {
  if (campaign === undefined) return {};
  if (hasEnded(campaign)) {
    const lock = { reason: undefined };
    return { target: lock, message: lock, start: lock, pace: lock };
  }
  const hasBegun = campaign.sent_count + campaign.failed_count > 0;
  // A campaign that was paused before its start time.
  const isYetToStart = campaign.status === 'paused' && campaign.started_at === null && campaign.total_count === 0;
  return {
    ...(hasBegun && { target: { reason: 'The first messages have gone out.' } }),
    ...(campaign.status !== 'scheduled' && !isYetToStart && { start: { reason: 'The campaign has started.' } }),
  };
}
