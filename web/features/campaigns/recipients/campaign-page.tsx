import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { MessageCard } from '#web/shared/message/message-card.tsx';
import { campaignQuery } from '#web/shared/queries.ts';
import { ReportPageSkeleton } from '#web/shared/report/report-skeleton.tsx';
import { withReport } from '#web/shared/report/with-report.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { pollInterval } from '../campaign-queries.ts';
import { CampaignReport, campaignReportQuery, hasBegun } from '../report/campaign-report.tsx';
import { CampaignHeader } from './campaign-header.tsx';
import { CampaignDelay, ProgressCard } from './progress-card.tsx';
import { RecipientsCard } from './recipients-card.tsx';

const failureText = 'Failed to load campaign';

/** Shows a campaign: its progress, and the outcome for each recipient. */
export function CampaignPage() {
  const campaignId = Number(useParams({ from: '/shell/campaigns/$campaignId' }).campaignId);
  const isId = Number.isSafeInteger(campaignId) && campaignId > 0;
  const query = campaignQuery(campaignId);
  const {
    data: campaign,
    error,
    refetch,
  } = useQuery({ ...query, enabled: isId, refetchInterval: ({ state }) => pollInterval(state.data && [state.data]) });
  const isMissing = !isId || hasStatus(error, 404);
  const failure = campaign === undefined && error !== null && !isMissing ? errorText(error, failureText) : undefined;

  useEffect(() => {
    if (failure !== undefined) notify.error(failure);
  }, [failure]);

  if (isMissing) return <NotFoundCard kind="campaign" />;
  if (failure !== undefined) {
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={failure} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (campaign === undefined) return <ReportPageSkeleton what="campaign" />;
  return <LoadedCampaign campaign={campaign} />;
}

function LoadedCampaign({ campaign: found }: { campaign: Campaign }) {
  const { data: report } = useQuery(campaignReportQuery(found));
  const campaign = withReport(found, report);
  const isReported = report !== undefined && hasBegun(campaign);
  return (
    <>
      <CampaignHeader campaign={campaign} />
      <CampaignDelay campaign={campaign} />
      <CampaignReport
        campaign={campaign}
        progress={!isReported && <ProgressCard campaign={campaign} />}
        people={<RecipientsCard campaign={campaign} report={report} />}
        message={
          <>
            {isReported && <ProgressCard campaign={campaign} isReported />}
            <MessageCard
              text={campaign.message}
              media={campaign.media}
              template={campaign.template}
              at={campaign.started_at ?? campaign.when ?? campaign.created_at}
            />
          </>
        }
      />
    </>
  );
}
