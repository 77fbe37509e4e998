import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { ImportRow, ProfileImport, ReportedRows } from '#contracts/profile-imports.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { FilterBar } from '#web/shared/table/filter-bar.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Separated } from '#web/shared/ui/separated.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { failureSummary } from './failure-summary.ts';
import { importRowsQuery, rowsPageSize } from './import-queries.ts';
import { rowOutcomes } from './import-search.ts';
import { useSeenImport } from './use-seen-import.ts';
import { OutcomeBadge } from './import-status-badge.tsx';

const columns: readonly Column<ImportRow>[] = [
  {
    id: 'row',
    header: 'Row',
    onCard: 'title',
    cell: ({ row }) => (
      <span className="tabular-nums">
        <span className="min-[720px]:sr-only">Row </span>
        {row.toLocaleString('en')}
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    onCard: 'badge',
    cell: ({ outcome }) => (outcome === null ? '–' : <OutcomeBadge outcome={outcome} />),
  },
  {
    id: 'cells',
    header: 'Contents',
    fluid: true,
    cell: ({ cells }) => <Separated texts={cells.filter((cell) => cell !== '')} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason, notes }) => (
      <span className="block wrap-anywhere whitespace-normal min-[720px]:w-64">
        {reason ?? (notes.length > 0 ? <Separated texts={notes} /> : <span className="text-faint">–</span>)}
      </span>
    ),
  },
];

/** The outcome of each row, planned or done. */
export function ReportCard({ shown }: { shown: ProfileImport }) {
  const { rows: page = 1, outcome: asked } = useSearch({ from: '/shell/profiles/import' });
  const hasFailures = shown.counts.invalid > 0;
  // Failed rows are shown first, as they need attention.
  const outcome = asked === undefined && hasFailures ? 'invalid' : asked === 'all' ? undefined : asked;
  const address = useSearchChange();
  const query = useQuery(importRowsQuery(shown, page, outcome));
  useSeenImport(shown);

  function show(next: { rows?: number; outcome?: ReportedRows | 'all' }): void {
    address.set({ id: shown.id, ...next });
  }

  return (
    <Card
      flush
      title={shown.status === 'checked' ? 'What would happen' : 'Report'}
      actions={
        <>
          <FilterBar
            label="Rows"
            options={[
              { value: 'all', label: 'All', count: shown.total_rows },
              ...rowOutcomes.map((value) => ({ value, label: statusWord(value), count: shown.counts[value] })),
              ...(shown.noted_rows > 0
                ? [{ value: 'noted' as const, label: 'With notes', count: shown.noted_rows }]
                : []),
            ]}
            value={outcome ?? 'all'}
            onChange={(value) => show({ outcome: value })}
          />
          {shown.counts.invalid > 0 && <RejectedRowsButton importId={shown.id} />}
        </>
      }
    >
      {hasFailures && outcome === 'invalid' && page === 1 && query.data !== undefined && (
        <p role="status" className="border-b bg-red-wash px-4 py-2.5 text-13 text-pretty sm:px-5">
          <b className="font-medium">{failureTitle(shown)}</b> {failureSummary(query.data.data)}
          {shown.counts.invalid > query.data.data.length && ` among the first ${query.data.data.length}`}.
        </p>
      )}
      {shown.noted_rows > 0 && (
        <p role="status" className="border-b bg-yellow-wash px-4 py-2.5 text-13 text-pretty sm:px-5">
          <b className="font-medium">{notedTitle(shown)}</b> <Separated texts={unreadCounts(shown)} />.
        </p>
      )}
      <DataTable
        label="Rows"
        columns={columns}
        rowKey={({ row }) => row}
        query={query}
        skeletonRows={10}
        paging={{
          page,
          pageSize: rowsPageSize,
          onPage: (next) => show({ ...(next > 1 && { rows: next }), outcome: outcome ?? 'all' }),
        }}
        empty="No rows found."
        failureText="Failed to load rows"
      />
    </Card>
  );
}

/** `12 rows were left out:` */
function failureTitle({ status, counts: { invalid } }: ProfileImport): string {
  const rows = `${invalid.toLocaleString('en')} ${invalid === 1 ? 'row' : 'rows'}`;
  return status === 'checked' ? `${rows} would be left out:` : `${rows} ${invalid === 1 ? 'was' : 'were'} left out:`;
}

/** `100 rows are kept without a value that cannot be read:` */
function notedTitle({ status, noted_rows: noted }: ProfileImport): string {
  const verb = status === 'checked' ? 'would be' : noted === 1 ? 'was' : 'were';
  return `${noted.toLocaleString('en')} ${noted === 1 ? 'row' : 'rows'} ${verb} kept without a value, or with a number that is not assignable:`;
}

/** `Email (100)` */
const unreadCounts = ({ columns: ofFile }: ProfileImport): string[] =>
  ofFile.flatMap(({ header, unread_cells: count }, index) =>
    count > 0 ? [`${header || `Column ${index + 1}`} (${count.toLocaleString('en')})`] : [],
  );

function RejectedRowsButton({ importId }: { importId: number }) {
  const save = useMutation({
    mutationFn: () =>
      downloadFile('GET /api/profiles/imports/{importId}/rejected', { params: { importId } }, 'rejected-rows.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to download rejected rows')),
  });
  return (
    <Button
      size="small"
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Downloading...'}
      onClick={() => save.mutate()}
    >
      Rejected rows
    </Button>
  );
}
