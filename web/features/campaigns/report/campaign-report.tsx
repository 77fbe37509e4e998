import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { SourceReport } from '#web/shared/report/source-report.tsx';
import { outcomesPollMs } from '#web/shared/report/with-report.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { pollInterval } from '../campaign-queries.ts';
import { useCan } from '#web/shared/session.ts';

/** All figures of the campaign's page. */
export function campaignReportQuery(campaign: Campaign) {
  return queryOptions({
    queryKey: [...queryKeys.campaign(campaign.id), 'report'],
    queryFn: ({ signal }) =>
      callApi('GET /api/campaigns/{campaignId}/report', { params: { campaignId: campaign.id } }, { signal }),
    refetchInterval: () => pollInterval([campaign]) || outcomesPollMs(campaign.finished_at),
    placeholderData: noPlaceholder,
  });
}

/** Whether anything was sent, failed or skipped. */
export const hasBegun = ({ sent_count, failed_count, skipped_count }: Campaign): boolean =>
  sent_count + failed_count + skipped_count > 0;

type CampaignReportProps = { campaign: Campaign; progress: ReactNode; people: ReactNode; message: ReactNode };

/** The report of a campaign: its figures and their `people`, its `progress`, and its `message` beside. */
export function CampaignReport({ campaign, progress, people, message }: CampaignReportProps) {
  const can = useCan();
  const query = useQuery(campaignReportQuery(campaign));
  const retry = useRetryFailed(campaign);
  return (
    <SourceReport
      query={query}
      noun="people"
      hasBegun={hasBegun(campaign)}
      progress={progress}
      people={people}
      aside={message}
      isRetrying={retry.isPending}
      onRetry={campaign.status === 'cancelled' || !can('campaigns:write') ? undefined : () => retry.mutate()}
    />
  );
}

/** Sends again to those who failed. */
export function useRetryFailed(campaign: Campaign) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST /api/campaigns/{campaignId}/retry-failed', { params: { campaignId: campaign.id } }),
    onSuccess: (answer) => {
      notify.success('Sending again to those who failed');
      queryClient.setQueryData(queryKeys.campaign(answer.id), answer);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to send again')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.campaigns }),
  });
}
