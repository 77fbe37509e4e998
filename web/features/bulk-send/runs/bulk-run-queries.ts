import { queryOptions } from '@tanstack/react-query';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { outcomesPollMs } from '#web/shared/report/with-report.ts';
import type { BulkRunSearch } from './bulk-run-search.ts';

/** Live news come sooner. */
const pollMs = 5_000;

export const runPollInterval = (run: BulkRun | undefined) => (run?.status === 'running' ? pollMs : false);

export function bulkRunQuery(runId: number) {
  return queryOptions({
    queryKey: queryKeys.bulkRun(runId),
    queryFn: ({ signal }) => callApi('GET /api/bulk-runs/{runId}', { params: { runId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function bulkRunReportQuery(run: BulkRun) {
  return queryOptions({
    queryKey: [...queryKeys.bulkRun(run.id), 'report'],
    queryFn: ({ signal }) => callApi('GET /api/bulk-runs/{runId}/report', { params: { runId: run.id } }, { signal }),
    refetchInterval: () => runPollInterval(run) || outcomesPollMs(run.finished_at),
    placeholderData: noPlaceholder,
    enabled: run.status !== 'draft',
  });
}

export const pageSize = 50;

export function bulkRunsQuery({ page = 1, search, status, sort, order }: BulkRunSearch) {
  const query = { page, pageSize, search, status, sort, order };
  return queryOptions({
    queryKey: [...queryKeys.bulkRuns, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/bulk-runs', { query }, { signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status: each }) => each === 'running') ? pollMs : false),
  });
}
