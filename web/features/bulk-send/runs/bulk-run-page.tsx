import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { MessageCard } from '#web/shared/message/message-card.tsx';
import { ReportPageSkeleton } from '#web/shared/report/report-skeleton.tsx';
import { withReport } from '#web/shared/report/with-report.ts';
import { WaitingNotice } from '#web/shared/waiting-notice.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { bulkRunQuery, bulkRunReportQuery, runPollInterval } from './bulk-run-queries.ts';
import { RunHeader } from './run-header.tsx';
import { RunProgressCard } from './run-progress-card.tsx';
import { hasBegun, RunReport } from './run-report.tsx';
import { RunRowsCard } from './run-rows-card.tsx';

const failureText = 'Failed to load the run';

/** Shows a bulk run: its progress, and the outcome of each row. */
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
    if (error === null) return <ReportPageSkeleton what="run" />;
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={errorText(error, failureText)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return <LoadedRun run={run} />;
}

function LoadedRun({ run: found }: { run: BulkRun }) {
  const { data: report } = useQuery(bulkRunReportQuery(found));
  const run = withReport(found, report);
  const isReported = report !== undefined && hasBegun(run);
  return (
    <>
      <RunHeader run={run} />
      {run.waiting_for !== null && (
        <WaitingNotice reason={run.waiting_for} until={run.waiting_until} projectId={run.project_id} />
      )}
      <RunReport
        run={run}
        progress={!isReported && <RunProgressCard run={run} />}
        people={<RunRowsCard run={run} />}
        message={
          <>
            {isReported && <RunProgressCard run={run} isReported />}
            <MessageCard
              text={run.message}
              media={run.media}
              template={run.template}
              at={run.started_at ?? run.created_at}
            />
          </>
        }
      />
    </>
  );
}
