import type { SavedTemplate } from '#contracts/saved-templates.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, EditAction, RowActions } from '#web/shared/table/row-action.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';

type TemplateActions = {
  onEdit: (template: SavedTemplate) => void;
  onDelete: (template: SavedTemplate) => void;
};

export function templateColumns({ onEdit, onDelete }: TemplateActions): readonly Column<SavedTemplate>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: { by: 'name', first: 'asc' },
      onCard: 'title',
      cell: ({ name }) => (
        <span dir="auto" title={name} className="block max-w-72 truncate text-left font-medium max-[720px]:max-w-none">
          {name}
        </span>
      ),
    },
    {
      id: 'message',
      header: 'Message',
      choice: 'shown',
      fluid: true,
      cell: ({ message }) => (
        <span dir="auto" title={message} className="text-muted">
          {message}
        </span>
      ),
    },
    {
      id: 'updated',
      header: 'Changed',
      choice: 'shown',
      sort: { by: 'updated', first: 'desc' },
      align: 'right',
      wideOnly: true,
      cell: ({ updated_at: at }) => (
        <span className="text-muted">
          <DateTime at={at} />
        </span>
      ),
    },
    {
      id: 'created',
      header: 'Created',
      choice: 'hidden',
      align: 'right',
      wideOnly: true,
      cell: ({ created_at: at }) => (
        <span className="text-muted">
          <DateTime at={at} />
        </span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (template) => (
        <RowActions>
          <EditAction needs="templates:write" subject={template.name} onClick={() => onEdit(template)} />
          <DeleteAction needs="templates:write" subject={template.name} onClick={() => onDelete(template)} />
        </RowActions>
      ),
    },
  ];
}
