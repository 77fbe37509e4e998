import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { FailuresCard } from '#web/shared/report/failures-card.tsx';
import { Funnel } from '#web/shared/report/funnel.tsx';
import { OptOutsCard } from '#web/shared/report/opt-outs-card.tsx';
import { OverTimeCard } from '#web/shared/report/over-time-card.tsx';
import { ReportSkeleton } from '#web/shared/report/report-skeleton.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { pollInterval } from '../campaign-queries.ts';

function useReport(campaign: Campaign) {
  return useQuery({
    queryKey: [...queryKeys.campaign(campaign.id), 'report'],
    queryFn: ({ signal }) =>
      callApi('GET /api/campaigns/{campaignId}/report', { params: { campaignId: campaign.id } }, { signal }),
    refetchInterval: pollInterval([campaign]),
    placeholderData: noPlaceholder,
  });
}

/** What came of it, with its `progress` and its `message` beside; before anything was sent, those two alone. */
export function CampaignReport({
  campaign,
  progress,
  message,
}: {
  campaign: Campaign;
  progress: ReactNode;
  message: ReactNode;
}) {
  const { data: report, error, refetch } = useReport(campaign);
  const retry = useRetryFailed(campaign);
  const hasBegun = campaign.sent_count + campaign.failed_count + campaign.skipped_count > 0;
  return (
    <>
      {hasBegun && report === undefined && error === null && <ReportSkeleton />}
      {hasBegun && report !== undefined && <Funnel report={report} />}
      {hasBegun && report === undefined && error !== null && (
        <Card flush>
          <ErrorPanel
            title="Failed to load the report"
            detail={errorText(error, 'Try again in a moment.')}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {progress}
          {hasBegun && report !== undefined && (
            <>
              <OverTimeCard report={report} />
              <FailuresCard
                report={report}
                isRetrying={retry.isPending}
                onRetry={campaign.status === 'cancelled' ? undefined : () => retry.mutate()}
              />
            </>
          )}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {message}
          {hasBegun && report !== undefined && <OptOutsCard report={report} />}
        </div>
      </div>
    </>
  );
}

function useRetryFailed(campaign: Campaign) {
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
