import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, Send } from 'lucide-react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { paths } from '#web/shared/paths.ts';
import type { Column } from '#web/shared/table/column.ts';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import { ListScreen } from '#web/shared/table/list-screen.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { useList } from '#web/shared/table/use-list.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { bulkRunsQuery, pageSize } from './bulk-run-queries.ts';
import { bulkRunSearch, firstOrders, runStatuses } from './bulk-run-search.ts';
import { BulkRunStatusBadge } from './bulk-run-status-badge.tsx';

/** Every bulk run there was, newest first. */
export function BulkRunsPage() {
  const [search, change] = useListSearch(bulkRunSearch);
  const list = useList({
    list: 'bulk_runs',
    address: [search, change],
    filters: ['status'],
    query: useQuery(bulkRunsQuery(search)),
    columns,
    usualSort: 'created',
    firstOrders,
    pageSize,
  });
  return (
    <>
      <div className="grid gap-2">
        <Link
          to={paths.bulkSend}
          className="-ml-1 inline-flex items-center gap-0.5 justify-self-start rounded-small pr-1 text-13 text-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          Bulk send
        </Link>
        <PageHeader
          title="Bulk runs"
          description="What was sent from files, and what is under way"
          actions={
            <Link to={paths.bulkSend} className={buttonClass('primary')}>
              New bulk send
            </Link>
          }
        />
      </div>
      <ListScreen
        list={list}
        noun="bulk run"
        nouns="bulk runs"
        failureText="Failed to load bulk runs"
        filters={
          <ChoiceFilter
            label="Status"
            options={runStatuses.map((value) => ({ value, label: statusWord(value) }))}
            value={search.status}
            onChange={(value) => change({ status: runStatuses.find((known) => known === value), page: undefined })}
          />
        }
        empty={<NoRuns />}
      />
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState
      icon={<Send aria-hidden="true" />}
      title="No bulk runs yet"
      hint="A file that is sent goes on without its page, and is listed here."
    />
  );
}

const columns: readonly Column<BulkRun>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: { by: 'name', first: 'asc' },
    onCard: 'title',
    fluid: true,
    cell: ({ id, name }) => (
      <Link
        to={paths.bulkRun}
        params={{ runId: String(id) }}
        dir="auto"
        className="block truncate rounded-small text-left font-medium hover:text-accent-ink hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', onCard: 'badge', cell: ({ status }) => <BulkRunStatusBadge status={status} /> },
  {
    id: 'sent',
    header: 'Sent',
    align: 'right',
    cell: ({ sent_count: sent, total_count: total }) => (
      <span className="tabular-nums">
        {sent.toLocaleString('en')}/{total.toLocaleString('en')}
      </span>
    ),
  },
  {
    id: 'failed',
    header: 'Failed',
    choice: 'shown',
    align: 'right',
    cell: ({ failed_count: failed }) => <span className="tabular-nums">{failed.toLocaleString('en')}</span>,
  },
  {
    id: 'skipped',
    header: 'Skipped',
    choice: 'shown',
    align: 'right',
    cell: ({ skipped_count: skipped }) => <span className="tabular-nums">{skipped.toLocaleString('en')}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    choice: 'shown',
    sort: { by: 'created', first: 'desc' },
    align: 'right',
    cell: ({ created_at: at }) => (
      <span className="text-muted">
        <DateTime at={at} />
      </span>
    ),
  },
  {
    id: 'finished',
    header: 'Finished',
    choice: 'hidden',
    align: 'right',
    cell: ({ finished_at: at }) => <span className="text-muted">{at === null ? '–' : <DateTime at={at} />}</span>,
  },
];
