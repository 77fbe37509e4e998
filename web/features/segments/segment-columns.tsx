import type { Segment } from '#contracts/segments.ts';
import { ConditionText } from '#web/shared/conditions/condition-text.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, EditAction, RowActions } from '#web/shared/table/row-action.tsx';
import { MemberCount } from './member-count.tsx';

type SegmentActions = { onEdit: (segment: Segment) => void; onDelete: (segment: Segment) => void };

export function segmentColumns({ onEdit, onDelete }: SegmentActions): readonly Column<Segment>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: { by: 'name', first: 'asc' },
      onCard: 'title',
      cell: ({ name }) => (
        <span dir="auto" title={name} className="block max-w-72 text-left truncate font-medium max-[720px]:max-w-none">
          {name}
        </span>
      ),
    },
    {
      id: 'condition',
      header: 'Condition',
      fluid: true,
      cell: ({ condition }) => <ConditionText condition={condition} />,
    },
    { id: 'members', header: 'Members', align: 'right', cell: ({ id }) => <MemberCount segmentId={id} /> },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (segment) => (
        <RowActions>
          <EditAction subject={segment.name} onClick={() => onEdit(segment)} />
          <DeleteAction subject={segment.name} onClick={() => onDelete(segment)} />
        </RowActions>
      ),
    },
  ];
}
