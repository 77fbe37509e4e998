import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { bodyOf, changeOf, type campaignForm } from './campaign-form.ts';

type Values = z.output<ReturnType<typeof campaignForm>>;

/** `open`: leads to a new campaign's report, where nothing else does. */
type Save = { values: Values; open?: ((campaignId: number) => void) | undefined };

/** Makes the campaign, or saves what has changed of the given one. */
export function useSaveCampaign(campaign: Campaign | undefined, timezone: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ values }: Save) => {
      try {
        return await saved(campaign, values, timezone);
      } catch (error) {
        throw withWords(error, campaign === undefined ? 'Failed to create automation' : 'Failed to update automation');
      }
    },
    onSuccess: (answer, { open }) => {
      notify.success(
        campaign === undefined ? 'Campaign created' : 'Campaign updated',
        open && { action: { label: 'Open', onSelect: () => open(answer.id) } },
      );
      queryClient.setQueryData(queryKeys.campaign(answer.id), answer);
      return queryClient.invalidateQueries({ queryKey: queryKeys.campaigns });
    },
  });
}

function saved(campaign: Campaign | undefined, values: Values, timezone: string): Promise<Campaign> {
  if (campaign === undefined) return callApi('POST /api/campaigns', { body: bodyOf(values, timezone) });
  return callApi('PUT /api/campaigns/{campaignId}', {
    params: { campaignId: campaign.id },
    body: changeOf(campaign, values, timezone),
  });
}

/** An answer without a reason of its own says what failed. */
function withWords(error: unknown, words: string): unknown {
  const isSilent = error instanceof ApiError && error.message === '' && error.fieldErrors.length === 0;
  return isSilent ? new ApiError(error.status, { code: error.code, message: words }) : error;
}
