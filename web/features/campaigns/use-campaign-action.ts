import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useItemAction } from '#web/shared/use-item-action.ts';

type Action = 'pause' | 'resume' | 'cancel';

const words: Record<Action, { done: string; failed: string }> = {
  pause: { done: 'Campaign paused', failed: 'Failed to pause campaign' },
  resume: { done: 'Campaign resumed', failed: 'Failed to resume campaign' },
  cancel: { done: 'Campaign cancelled', failed: 'Failed to cancel campaign' },
};

/** Pauses, resumes or cancels a campaign, and says so by toast. */
export const useCampaignAction = (action: Action) =>
  useItemAction<Campaign>({
    act: ({ id }) => callApi(`POST /api/campaigns/{campaignId}/${action}`, { params: { campaignId: id } }),
    ...words[action],
    itemKey: queryKeys.campaign,
    listKey: queryKeys.campaigns,
  });
