import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { SourceReport } from '#web/shared/report/source-report.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { bulkRunReportQuery } from './bulk-run-queries.ts';
import { useCan } from '#web/shared/session.ts';

/** Whether anything was sent, failed or skipped. */
export const hasBegun = ({ status, sent_count, failed_count, skipped_count }: BulkRun): boolean =>
  status !== 'draft' && sent_count + failed_count + skipped_count > 0;

type RunReportProps = { run: BulkRun; progress: ReactNode; people: ReactNode; message: ReactNode };

/** The report of a run: its figures and their rows, its `progress`, and its `message` beside. */
export function RunReport({ run, progress, people, message }: RunReportProps) {
  const can = useCan();
  const query = useQuery(bulkRunReportQuery(run));
  const retry = useRetryFailed(run);
  return (
    <SourceReport
      query={query}
      noun="people"
      hasBegun={hasBegun(run)}
      progress={progress}
      people={people}
      aside={message}
      isRetrying={retry.isPending}
      onRetry={run.status === 'stopped' || !can('campaigns:write') ? undefined : () => retry.mutate()}
    />
  );
}

export function useRetryFailed(run: BulkRun) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST /api/bulk-runs/{runId}/retry-failed', { params: { runId: run.id } }),
    onSuccess: (answer) => {
      notify.success('Sending the rows again that failed');
      queryClient.setQueryData(queryKeys.bulkRun(answer.id), answer);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to send again')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.bulkRuns }),
  });
}
