import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { bulkRunQuery, runPollInterval } from './bulk-run-queries.ts';
import { RunHeader } from './run-header.tsx';
import { RunProgressCard } from './run-progress-card.tsx';
import { RunReport } from './run-report.tsx';
import { RunRowsCard } from './run-rows-card.tsx';

const failureText = 'Failed to load the run';

/** One bulk run: how far it has come, and what became of each row. */
export function BulkRunPage() {
  const runId = Number(useParams({ from: '/shell/bulk-send/$runId' }).runId);
  const isId = Number.isSafeInteger(runId) && runId > 0;
  const {
    data: run,
    error,
    refetch,
  } = useQuery({
    ...bulkRunQuery(runId),
    enabled: isId,
    refetchInterval: ({ state }) => runPollInterval(state.data),
  });
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="run" />;
  if (run === undefined) {
    if (error === null) return <LoadingPage />;
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={errorText(error, failureText)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <>
      <RunHeader run={run} />
      <RunReport
        run={run}
        progress={<RunProgressCard run={run} />}
        message={
          <Card flush title="Message" className="overflow-hidden">
            <Chat className="max-h-72 overflow-y-auto border-t">
              <ChatBubble text={run.message} time={formatTime(run.started_at ?? run.created_at)} status="sent" />
            </Chat>
          </Card>
        }
      />
      <RunRowsCard run={run} />
    </>
  );
}

function LoadingPage() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-4 sm:gap-6">
      <Skeleton className="h-8 w-60" />
      <Card>
        <Skeleton className="h-20 w-full" />
      </Card>
      <Card>
        <Skeleton className="h-60 w-full" />
      </Card>
    </div>
  );
}
