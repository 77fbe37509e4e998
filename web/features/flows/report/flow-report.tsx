import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Flow } from '#contracts/flows.ts';
import type { Report } from '#contracts/reports.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { SourceReport } from '#web/shared/report/source-report.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { flowRefreshMs } from '../flow-queries.ts';
import { useCan } from '#web/shared/session.ts';

/** All figures of the flow's page. */
export function flowReportQuery(flow: Flow) {
  return queryOptions({
    queryKey: [...queryKeys.flows, flow.id, 'report'],
    queryFn: ({ signal }) => callApi('GET /api/flows/{flowId}/report', { params: { flowId: flow.id } }, { signal }),
    refetchInterval: flowRefreshMs,
    placeholderData: noPlaceholder,
  });
}

/** The flow with the counts of its report, so that all figures of its page are of one moment. */
export function withFlowReport(flow: Flow, report: Report | undefined): Flow {
  if (report === undefined) return flow;
  const { waiting, sent, failed, skipped, delivered, read, replied, opted_out, clicked } = report;
  return { ...flow, counts: { waiting, sent, failed, skipped, delivered, read, replied, opted_out, clicked } };
}

type FlowReportProps = { flow: Flow; rules: ReactNode; people: ReactNode; message: ReactNode };

/** The report of a flow, with its `rules` and its `message` beside. */
export function FlowReport({ flow, rules, people, message }: FlowReportProps) {
  const { sent, failed, skipped } = flow.counts;
  const can = useCan();
  const query = useQuery(flowReportQuery(flow));
  const retry = useRetryFailed(flow);
  return (
    <SourceReport
      query={query}
      noun="messages"
      hasBegun={sent + failed + skipped > 0}
      progress={rules}
      people={people}
      aside={message}
      isRetrying={retry.isPending}
      onRetry={can('campaigns:write') ? () => retry.mutate() : undefined}
    />
  );
}

function useRetryFailed(flow: Flow) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST /api/flows/{flowId}/retry-failed', { params: { flowId: flow.id } }),
    onSuccess: () => notify.success('Sending again to those who failed and still match'),
    onError: (error) => notify.error(errorText(error, 'Failed to send again')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.flows }),
  });
}
