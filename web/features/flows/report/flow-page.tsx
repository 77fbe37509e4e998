import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { flowQuery, flowRefreshMs } from '../flow-queries.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { FlowHeader } from './flow-header.tsx';
import { FlowReport } from './flow-report.tsx';
import { RulesCard } from './rules-card.tsx';

const failureText = 'Failed to load the flow';

/** One flow: whom it writes to, what came of it, and each of its deliveries. */
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
    if (error === null) return <LoadingPage />;
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={errorText(error, failureText)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <>
      <FlowHeader flow={flow} />
      <FlowReport
        flow={flow}
        rules={<RulesCard flow={flow} />}
        message={
          <Card flush title="Message" className="overflow-hidden">
            <Chat className="max-h-72 overflow-y-auto border-t">
              <ChatBubble
                text={flow.action.message}
                time={formatTime(flow.last_run_at ?? flow.created_at)}
                status="sent"
              />
            </Chat>
          </Card>
        }
      />
      <DeliveriesCard flow={flow} />
    </>
  );
}

function LoadingPage() {
  return (
    <div role="status" aria-label="Loading flow..." className="grid gap-4 sm:gap-6">
      <div className="grid h-12 content-center gap-2.5">
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-3 w-64" />
      </div>
      {['h-24', 'h-80'].map((height) => (
        <Card key={height}>
          <div className={`grid content-start gap-4 ${height}`}>
            {['w-2/5', 'w-4/5', 'w-3/5'].map((width) => (
              <Skeleton key={width} className={`h-3 ${width}`} />
            ))}
          </div>
        </Card>
      ))}
    </div>
  );
}
