import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NotepadText, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { useDialogInUrl } from '#web/shared/form/use-dialog-in-url.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ListScreen } from '#web/shared/table/list-screen.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { useList } from '#web/shared/table/use-list.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { templateColumns } from './template-columns.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { pageSize, templateQuery, templatesQuery } from './template-queries.ts';
import { firstOrders, templateSearch } from './template-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

const bulkChoices: readonly BulkChoice[] = [
  {
    action: 'delete',
    label: 'Delete',
    icon: <Trash2 />,
    danger: true,
    consequence: 'Campaigns, flows and bulk runs made from them stay as they are.',
  },
];

/** The messages that are kept under a name. */
export function TemplatesPage() {
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(templateSearch);
  const address = useSearchChange();
  const [isAdding, setAdding] = useDialogInUrl('new');
  const [deleted, setDeleted] = useState<SavedTemplate>();
  const query = useQuery(templatesQuery(search));
  const add = () => setAdding(true);
  useNewOnArrival(add);
  const templates = query.data?.data;
  const edited = useEdited(templates, search.edit);
  const list = useList({
    list: 'templates',
    address: [search, change],
    query,
    columns: templateColumns({ onEdit: ({ id }) => address.open({ edit: id }), onDelete: setDeleted }),
    usualSort: 'name',
    firstOrders,
    pageSize,
  });
  const { selection, filter, total } = list;
  const bulk = useBulk({
    resource: 'templates',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.templates }),
  });
  return (
    <>
      <PageHeader
        title="Templates"
        description="Messages to begin campaigns, flows and bulk runs with"
        actions={
          <Button needs="templates:write" variant="primary" icon={plus} onClick={add}>
            New Template
          </Button>
        }
      />
      {bulk.progress}
      <ListScreen
        list={list}
        noun="template"
        nouns="templates"
        needs="templates:write"
        failureText="Failed to load templates"
        rowLabel={({ name }) => name}
        empty={<NoTemplates onAdd={add} />}
      />
      <BulkBar
        resource="templates"
        noun="templates"
        choices={bulkChoices}
        selection={selection}
        total={total}
        bulk={bulk}
      />
      {isAdding && <TemplateDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <TemplateDialog template={edited} onClose={() => address.close({ edit: undefined })} />}
      {deleted !== undefined && <DeleteTemplateDialog template={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

/** The template whose dialog the address opens: of this page, or of another one. */
function useEdited(shown: readonly SavedTemplate[] | undefined, id: number | undefined): SavedTemplate | undefined {
  const onPage = shown?.find((template) => template.id === id);
  const isElsewhere = id !== undefined && shown !== undefined && onPage === undefined;
  const { data } = useQuery({ ...templateQuery(id ?? 0), enabled: isElsewhere });
  return onPage ?? (isElsewhere ? data : undefined);
}

function NoTemplates({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<NotepadText aria-hidden="true" />}
      title="No templates yet"
      hint="Keep a message under a name, and begin the next campaign, flow or bulk run with it."
      action={
        <Button needs="templates:write" icon={plus} onClick={onAdd}>
          New Template
        </Button>
      }
    />
  );
}
