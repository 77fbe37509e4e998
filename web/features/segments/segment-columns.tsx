import { Link } from '@tanstack/react-router';
import type { Segment } from '#contracts/segments.ts';
import { SegmentText } from '#web/shared/conditions/segment-text.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, EditAction, RowActions } from '#web/shared/table/row-action.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { MemberCount } from '#web/shared/pick/member-count.tsx';
import { paths } from '#web/shared/paths.ts';
import { CountedAt, SegmentGrowth } from './segment-growth.tsx';
import { UsedBy } from './segment-usage.tsx';

type SegmentActions = { onEdit: (segment: Segment) => void; onDelete: (segment: Segment) => void };

export function segmentColumns({ onEdit, onDelete }: SegmentActions): readonly Column<Segment>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: { by: 'name', first: 'asc' },
      onCard: 'title',
      cell: ({ id, name }) => (
        <Link
          from={paths.segments}
          to={paths.segment}
          params={{ segmentId: String(id) }}
          search={(previous) => previous}
          state={{ isOpened: true }}
          dir="auto"
          title={name}
          className="block max-w-40 xl:max-w-48 truncate rounded-small text-left font-medium hover:text-accent-ink hover:underline max-[720px]:max-w-none max-[720px]:wrap-anywhere max-[720px]:whitespace-normal"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'condition',
      header: 'Condition',
      choice: 'shown',
      fluid: true,
      cell: (segment) => <SegmentText segment={segment} />,
    },
    {
      id: 'members',
      header: 'Members',
      choice: 'shown',
      align: 'right',
      cell: ({ id }) => <MemberCount segmentId={id} withDays />,
    },
    {
      id: 'growth',
      header: '30 days',
      choice: 'shown',
      sort: { by: 'growth', first: 'desc' },
      cell: ({ id }) => <SegmentGrowth segmentId={id} />,
    },
    {
      id: 'used',
      header: 'Used by',
      choice: 'shown',
      wideOnly: true,
      cell: ({ id }) => <UsedBy segmentId={id} />,
    },
    {
      id: 'counted',
      header: 'Counted',
      choice: 'shown',
      wideOnly: 'widest',
      cell: ({ id }) => <CountedAt segmentId={id} />,
    },
    {
      id: 'updated',
      header: 'Changed',
      choice: 'hidden',
      sort: { by: 'updated', first: 'desc' },
      align: 'right',
      cell: ({ updated_at: at }) => <When at={at} />,
    },
    {
      id: 'created',
      header: 'Created',
      choice: 'hidden',
      sort: { by: 'created', first: 'desc' },
      align: 'right',
      cell: ({ created_at: at }) => <When at={at} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (segment) => (
        <RowActions>
          <HistoryLink target={`segment:${segment.id}`} name={segment.name} />
          <EditAction needs="contacts:write" subject={segment.name} onClick={() => onEdit(segment)} />
          <DeleteAction needs="contacts:write" subject={segment.name} onClick={() => onDelete(segment)} />
        </RowActions>
      ),
    },
  ];
}

function When({ at }: { at: string }) {
  return (
    <span className="text-muted">
      <DateTime at={at} />
    </span>
  );
}
