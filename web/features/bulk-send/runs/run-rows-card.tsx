import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import type { BulkRow, BulkRun } from '#contracts/bulk-runs.ts';
import type { Report } from '#contracts/reports.ts';
import { callApi } from '#web/shared/api.ts';
import { downloadFile } from '#web/shared/download.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { entriesPageSize as pageSize, LedgerCard, useEntrySearch } from '#web/shared/report/entries-card.tsx';
import { changedColumn, errorColumn, statusColumn } from '#web/shared/report/entry-columns.tsx';
import { figureOf, type EntrySearch } from '#web/shared/report/entry-search.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { outcomesPollMs } from '#web/shared/report/with-report.ts';
import { bulkRunReportQuery, runPollInterval } from './bulk-run-queries.ts';
import { useRetryFailed } from './run-report.tsx';

/** The rows of the chosen figure, or all of them, and their outcomes. */
export function RunRowsCard({ run }: { run: BulkRun }) {
  const { search, change } = useEntrySearch();
  const { data: report } = useQuery(bulkRunReportQuery(run));
  const query = useRows(run, search);
  const retry = useRetryFailed(run);
  return (
    <LedgerCard
      title="Rows"
      one="row"
      source={{ of: 'bulk_run', id: run.id, name: run.name }}
      search={search}
      counts={run.total_count > 0 ? countsOf(run, report) : undefined}
      report={report}
      query={query}
      onChange={change}
      retry={{
        isRetrying: retry.isPending,
        onRetry: run.status === 'stopped' ? undefined : () => retry.mutate(),
      }}
      download={() => downloadRows(run, search)}
      columns={columns}
      rowKey={({ row }) => row}
      empty={<EmptyState icon={<FileSpreadsheet aria-hidden="true" />} title="No rows" />}
    />
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
    refetchInterval: () => runPollInterval(run) || outcomesPollMs(run.finished_at),
    placeholderData: keepPreviousData,
  });
}

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
        className="block max-w-64 truncate text-left font-medium max-[720px]:max-w-none min-[720px]:max-xl:max-w-36"
      >
        {name ?? '–'}
      </span>
    ),
  },
  { id: 'phone', header: 'Phone', cell: ({ phone }) => <PhoneText digits={phone} /> },
  statusColumn,
  errorColumn,
  changedColumn,
];
