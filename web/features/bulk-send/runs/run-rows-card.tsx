import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileSpreadsheet } from 'lucide-react';
import type { BulkRow, BulkRun } from '#contracts/bulk-runs.ts';
import type { Report } from '#contracts/reports.ts';
import { callApi } from '#web/shared/api.ts';
import { downloadFile } from '#web/shared/download.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DownloadEntries } from '#web/shared/report/download-entries.tsx';
import { EntryBadge } from '#web/shared/report/entry-badge.tsx';
import { EntriesCard, entriesPageSize as pageSize } from '#web/shared/report/entries-card.tsx';
import { entrySearch, figureOf, isUnfiltered, onPage, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { NoEntryMatches } from '#web/shared/report/no-entry-matches.tsx';
import { RetryEntries } from '#web/shared/report/retry-entries.tsx';
import { SegmentOfEntries } from '#web/shared/report/segment-of-entries.tsx';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { bulkRunReportQuery, runPollInterval } from './bulk-run-queries.ts';
import { useRetryFailed } from './run-report.tsx';

/** The rows of the chosen figure, or all of them, and their outcomes. */
export function RunRowsCard({ run }: { run: BulkRun }) {
  const search = entrySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { page = 1 } = search;
  const { data: report } = useQuery(bulkRunReportQuery(run));
  const query = useRows(run, search);
  const retry = useRetryFailed(run);
  const change = (next: EntrySearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  return (
    <EntriesCard
      title="Rows"
      noun="people"
      search={search}
      counts={run.total_count > 0 ? countsOf(run, report) : undefined}
      report={report}
      total={query.isPlaceholderData ? undefined : query.data?.total}
      onChange={change}
      actions={
        <>
          {search.status === 'failed' && report !== undefined && (
            <RetryEntries
              report={report}
              isRetrying={retry.isPending}
              onRetry={run.status === 'stopped' ? undefined : () => retry.mutate()}
            />
          )}
          <SegmentOfEntries of="bulk_run" id={run.id} name={run.name} search={search} />
          <DownloadEntries download={() => downloadRows(run, search)} failureText="Failed to download the rows" />
        </>
      }
    >
      <DataTable
        label="Rows"
        columns={columns}
        rowKey={({ row }) => row}
        query={query}
        skeletonRows={pageSize}
        loadingText="Loading rows..."
        failureText="Failed to load rows"
        paging={{ page, pageSize, onPage: (next) => change(onPage(search, next)) }}
        empty={
          isUnfiltered(search) ? (
            <EmptyState icon={<FileSpreadsheet aria-hidden="true" />} title="No rows" />
          ) : (
            <NoEntryMatches what="row" search={search} onClear={() => change({})} />
          )
        }
      />
    </EntriesCard>
  );
}

const countsOf = (run: BulkRun, report: Report | undefined) => ({
  all: run.total_count,
  waiting: run.waiting_count,
  sent: run.sent_count,
  failed: run.failed_count,
  skipped: run.skipped_count,
  ...(report && {
    delivered: report.delivered,
    read: report.read,
    replied: report.replied,
    clicked: report.clicked,
    opted_out: report.opted_out,
  }),
});

/** Downloads the rows that the filters find, over all pages. */
const downloadRows = ({ id }: BulkRun, search: EntrySearch) =>
  downloadFile(
    'GET /api/bulk-runs/{runId}/rows/export',
    { params: { runId: id }, query: { search: search.search, ...figureOf(search) } },
    `bulk-run-${id}${search.status === undefined ? '' : `-${search.status}`}.csv`,
  );

function useRows(run: BulkRun, { page = 1, search, ...entries }: EntrySearch) {
  const query = { page, pageSize, search, ...figureOf(entries) };
  return useQuery({
    queryKey: [...queryKeys.bulkRun(run.id), 'rows', query],
    queryFn: ({ signal }) =>
      callApi('GET /api/bulk-runs/{runId}/rows', { params: { runId: run.id }, query }, { signal }),
    refetchInterval: runPollInterval(run),
    placeholderData: keepPreviousData,
  });
}

const none = <span className="text-faint max-[720px]:hidden">–</span>;

const columns: readonly Column<BulkRow>[] = [
  {
    id: 'row',
    header: 'Row',
    align: 'right',
    width: '5rem',
    onCard: 'hidden',
    cell: ({ row }) => <span className="text-muted">{row.toLocaleString('en')}</span>,
  },
  {
    id: 'name',
    header: 'Name',
    onCard: 'title',
    cell: ({ name }) => (
      <span
        dir="auto"
        title={name ?? ''}
        className="block max-w-64 truncate text-left font-medium max-[720px]:max-w-none"
      >
        {name ?? '–'}
      </span>
    ),
  },
  { id: 'phone', header: 'Phone', cell: ({ phone }) => <PhoneText digits={phone} /> },
  { id: 'status', header: 'Status', onCard: 'badge', cell: (row) => <EntryBadge entry={row} /> },
  {
    id: 'error',
    header: 'Error',
    fluid: true,
    cell: ({ error }) => (error === null ? none : <span title={error}>{error}</span>),
  },
  {
    id: 'changed',
    header: 'When',
    align: 'right',
    cell: ({ changed_at: at }) =>
      at === null ? (
        none
      ) : (
        <span className="text-muted">
          <DateTime at={at} />
        </span>
      ),
  },
];
