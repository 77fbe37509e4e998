import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Flow } from '#contracts/flows.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { flowQuery } from '#web/shared/queries.ts';
import { MessageCard } from '#web/shared/message/message-card.tsx';
import { ReportPageSkeleton } from '#web/shared/report/report-skeleton.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { flowRefreshMs } from '../flow-queries.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { FlowHeader } from './flow-header.tsx';
import { FlowReport, flowReportQuery, withFlowReport } from './flow-report.tsx';
import { RulesCard } from './rules-card.tsx';

const failureText = 'Failed to load the flow';

/** Shows a flow: its audience, its report, and each of its deliveries. */
export function FlowPage() {
  const flowId = Number(useParams({ from: '/shell/flows/$flowId' }).flowId);
  const isId = Number.isSafeInteger(flowId) && flowId > 0;
  const {
    data: flow,
    error,
    refetch,
  } = useQuery({ ...flowQuery(flowId), enabled: isId, refetchInterval: flowRefreshMs });
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="flow" />;
  if (flow === undefined) {
    if (error === null) return <ReportPageSkeleton what="flow" />;
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={errorText(error, failureText)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return <LoadedFlow flow={flow} />;
}

function LoadedFlow({ flow: found }: { flow: Flow }) {
  const { data: report } = useQuery(flowReportQuery(found));
  const flow = withFlowReport(found, report);
  return (
    <>
      <FlowHeader flow={flow} />
      <FlowReport
        flow={flow}
        rules={<RulesCard flow={flow} />}
        people={<DeliveriesCard flow={flow} report={report} />}
        message={
          <MessageCard
            text={flow.action.message}
            media={flow.action.media}
            template={flow.action.template}
            at={flow.last_run_at ?? flow.created_at}
          />
        }
      />
    </>
  );
}
