import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type Action = 'pause' | 'resume' | 'cancel';

const words: Record<Action, { done: string; failed: string }> = {
  pause: { done: 'Campaign paused', failed: 'Failed to pause campaign' },
  resume: { done: 'Campaign resumed', failed: 'Failed to resume campaign' },
  cancel: { done: 'Campaign cancelled', failed: 'Failed to cancel campaign' },
};

/** Pauses, resumes or cancels a campaign, and says so by toast. */
export function useCampaignAction(action: Action) {
  const queryClient = useQueryClient();
  const { done, failed } = words[action];
  return useMutation({
    mutationFn: ({ id }: Campaign) =>
      callApi(`POST /api/campaigns/{campaignId}/${action}`, { params: { campaignId: id } }),
    onSuccess: (campaign) => {
      notify.success(done);
      queryClient.setQueryData(queryKeys.campaign(campaign.id), campaign);
    },
    onError: (error) => notify.error(errorText(error, failed)),
    // After a refusal too: it tells that the campaign has moved on.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.campaigns }),
  });
}
