import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { paths } from '#web/shared/paths.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ImportStatusBadge } from './import-status-badge.tsx';
import { importsQuery } from './import-queries.ts';

const count = (value: number) => value.toLocaleString('en');

const columns: readonly Column<ProfileImport>[] = [
  {
    id: 'file',
    header: 'File',
    fluid: true,
    onCard: 'title',
    cell: ({ id, file_name }) => (
      <Link
        to={paths.profileImport}
        search={{ id }}
        className="rounded-small font-medium hover:text-accent-ink hover:underline"
      >
        <bdi>{file_name ?? `Import ${id}`}</bdi>
      </Link>
    ),
  },
  { id: 'status', header: 'Status', onCard: 'badge', cell: ({ status }) => <ImportStatusBadge status={status} /> },
  { id: 'rows', header: 'Rows', align: 'right', cell: ({ total_rows }) => count(total_rows) },
  { id: 'new', header: 'New', align: 'right', cell: ({ counts }) => count(counts.new) },
  { id: 'updated', header: 'Updated', align: 'right', cell: ({ counts }) => count(counts.updated) },
  { id: 'skipped', header: 'Skipped', align: 'right', cell: ({ counts }) => count(counts.skipped) },
  { id: 'invalid', header: 'Invalid', align: 'right', cell: ({ counts }) => count(counts.invalid) },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    cell: ({ created_at }) => (
      <span className="text-muted">
        <DateTime at={created_at} />
      </span>
    ),
  },
];

/** Nothing where there has been none. */
export function LatestImports() {
  const query = useQuery(importsQuery());
  if (query.data?.data.length === 0) return null;
  return (
    <Card flush title="Latest imports">
      <DataTable
        label="Latest imports"
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        skeletonRows={3}
        empty={null}
        failureText="Failed to load imports"
      />
    </Card>
  );
}
