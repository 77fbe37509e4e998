import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, Send } from 'lucide-react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { paths } from '#web/shared/paths.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { BulkRunStatusBadge } from './bulk-run-status-badge.tsx';
import { bulkRunsQuery } from './bulk-run-queries.ts';

const pageSize = 20;
const pollMs = 5_000;

/** Every bulk run there was, newest first. */
export function BulkRunsPage() {
  const { page = 1 } = useSearch({ from: '/shell/bulk-send/runs' });
  const navigate = useNavigate();
  const query = useQuery({
    ...bulkRunsQuery(page, pageSize),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'running') ? pollMs : false),
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
      <Card flush>
        <DataTable
          label="Bulk runs"
          columns={columns}
          rowKey={({ id }) => id}
          query={query}
          loadingText="Loading bulk runs..."
          failureText="Failed to load bulk runs"
          paging={{
            page,
            pageSize,
            onPage: (next) =>
              void navigate({ to: '.', search: next > 1 ? { page: next } : {}, replace: true, resetScroll: false }),
          }}
          empty={
            <EmptyState
              icon={<Send aria-hidden="true" />}
              title="No bulk runs yet"
              hint="A file that is sent goes on without its page, and is listed here."
            />
          }
        />
      </Card>
    </>
  );
}

const columns: readonly Column<BulkRun>[] = [
  {
    id: 'name',
    header: 'Name',
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
    align: 'right',
    cell: ({ failed_count: failed }) => <span className="tabular-nums">{failed.toLocaleString('en')}</span>,
  },
  {
    id: 'skipped',
    header: 'Skipped',
    align: 'right',
    cell: ({ skipped_count: skipped }) => <span className="tabular-nums">{skipped.toLocaleString('en')}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    cell: ({ created_at: at }) => (
      <span className="text-muted">
        <DateTime at={at} />
      </span>
    ),
  },
];
