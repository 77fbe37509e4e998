import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pause, Plus, Power, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { Flow } from '#contracts/flows.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { KeptDrafts } from '#web/shared/drafts/kept-drafts.tsx';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { ColumnChooser } from '#web/shared/table/column-chooser.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { ListTools } from '#web/shared/table/list-tools.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { SavedViews } from '#web/shared/table/saved-views.tsx';
import { useColumns } from '#web/shared/table/use-columns.ts';
import { useSelection } from '#web/shared/table/use-selection.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { ActivateFlowDialog } from './activate-flow-dialog.tsx';
import { FlowEditor } from './builder/flow-editor.tsx';
import { DeleteFlowDialog } from './delete-flow-dialog.tsx';
import { DeliveriesDialog } from './deliveries/deliveries-dialog.tsx';
import { flowColumns } from './flow-columns.tsx';
import { FlowFilters } from './flow-filters.tsx';
import { flowQuery, flowsQuery, pageSize } from './flow-queries.ts';
import { firstOrders, flowSearch, type FlowSort } from './flow-search.ts';
import { useRunFlow } from './use-run-flow.ts';
import { useSetActive } from './use-set-active.ts';

const bulkChoices: readonly BulkChoice[] = [
  {
    action: 'activate',
    label: 'Activate',
    icon: <Power />,
    consequence:
      'Each writes to who begins to match from now on. Who matches already gets nothing: for that, activate a flow by ' +
      'itself and see its review.',
  },
  { action: 'deactivate', label: 'Deactivate', icon: <Pause /> },
  {
    action: 'delete',
    label: 'Delete',
    icon: <Trash2 />,
    danger: true,
    consequence: 'They stop at once: messages that wait are not sent. What was sent stays in the records.',
  },
];

export function FlowsPage() {
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(flowSearch);
  const { editor, ...editors } = useEditor(paths.flows);
  const [asked, setAsked] = useState<{ what: 'activate' | 'delete'; flow: Flow }>();
  useNewOnArrival(editors.openNew);
  const query = useQuery(flowsQuery(search));
  const { data: projects, isPending: areProjectsLoading } = useQuery(projectsQuery());
  const run = useRunFlow();
  const setActive = useSetActive();
  const flows = query.data?.data;
  const total = query.data?.total ?? flows?.length;
  const delivered = useNamed(flows, search.deliveries);
  const { sort = 'created', order = firstOrders[sort] } = search;
  const isFiltered = search.active !== undefined || search.project_id !== undefined;
  const isNarrowed = isFiltered || search.search !== undefined;
  const clear = () => change({ search: undefined, active: undefined, project_id: undefined, page: undefined });
  const filter = { search: search.search, active: search.active, project_id: search.project_id };
  const selection = useSelection({ rows: flows, rowId: ({ id }) => id, total, resetKey: JSON.stringify(filter) });
  const bulk = useBulk({
    resource: 'flows',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.flows }),
  });
  const close = () => change({ deliveries: undefined, sent: undefined });
  const closeAsked = () => setAsked(undefined);

  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;

  const all = flowColumns({
    projectName,
    runningId: run.isPending ? run.variables.id : undefined,
    onRun: (flow) => run.mutate(flow),
    onDeliveries: ({ id }) => change({ deliveries: id }),
    onEdit: ({ id }) => editors.openEdit(id),
    onDuplicate: ({ id }) => editors.openCopy(id),
    onSetActive: (flow) =>
      flow.active ? setActive.mutate({ id: flow.id, active: false }) : setAsked({ what: 'activate', flow }),
    onDelete: (flow) => setAsked({ what: 'delete', flow }),
  });
  const { columns, chooser } = useColumns('flows', all, { cols: search.cols, onCols: (cols) => change({ cols }) });

  return (
    <>
      <PageHeader
        title="Flows"
        description="Send a message by itself when a profile matches your conditions"
        actions={
          <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={editors.openNew}>
            New Flow
          </Button>
        }
      />
      {bulk.progress}
      {editor === undefined && <KeptDrafts kind="flow" noun="flow" onContinue={editors.openNew} />}
      <Card flush className="overflow-clip" {...((isNarrowed || flows?.length !== 0) && { title: titleOf(total) })}>
        {(isNarrowed || flows?.length !== 0) && (
          <ListTools
            searchLabel="Search flows"
            search={search.search ?? ''}
            onSearch={(text) => change({ search: text || undefined, page: undefined })}
            filters={
              <FlowFilters
                search={search}
                projects={projects}
                onChange={(changes) => change({ ...changes, page: undefined })}
              />
            }
            isFiltered={isFiltered}
            onClear={clear}
          >
            <SavedViews list="flows" cols={chooser.cols} />
            <ColumnChooser {...chooser} />
          </ListTools>
        )}
        <DataTable
          label="Flows"
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          selection={selection}
          query={query}
          loadingText="Loading flows..."
          failureText="Failed to fetch flows"
          sorting={{
            by: sort,
            order,
            onSort: (by, next) => change({ sort: by as FlowSort, order: next, page: undefined }),
          }}
          {...((search.page !== undefined || (total ?? 0) > pageSize) && {
            paging: {
              page: search.page ?? 1,
              pageSize,
              onPage: (next) => change({ page: next > 1 ? next : undefined }),
            },
          })}
          empty={
            isNarrowed ? (
              <NoMatch title="No flow matches" onClear={clear} />
            ) : (
              <EmptyState
                icon={<Workflow aria-hidden="true" />}
                title="No flows yet. Create your first one above."
                hint="A flow watches your profiles and writes to each one that begins to match."
              />
            )
          }
        />
      </Card>
      <BulkBar resource="flows" noun="flows" choices={bulkChoices} selection={selection} total={total} bulk={bulk} />
      {editor !== undefined && !areProjectsLoading && (
        <FlowEditor
          key={JSON.stringify(editor)}
          editor={editor}
          shown={flows}
          projects={projects}
          onClose={editors.close}
        />
      )}
      {delivered !== undefined && (
        <DeliveriesDialog
          key={delivered.id}
          flow={delivered}
          projectName={projectName}
          page={search.sent ?? 1}
          onPage={(page) => change({ sent: page > 1 ? page : undefined })}
          onClose={close}
        />
      )}
      {asked?.what === 'activate' && <ActivateFlowDialog flow={asked.flow} onClose={closeAsked} />}
      {asked?.what === 'delete' && <DeleteFlowDialog flow={asked.flow} onClose={closeAsked} />}
    </>
  );
}

/** The flow that the address names: of this page, or of another one. */
function useNamed(shown: readonly Flow[] | undefined, id: number | undefined): Flow | undefined {
  const onPage = shown?.find((flow) => flow.id === id);
  const isElsewhere = id !== undefined && shown !== undefined && onPage === undefined;
  const { data } = useQuery({ ...flowQuery(id ?? 0), enabled: isElsewhere });
  return onPage ?? (isElsewhere ? data : undefined);
}

function titleOf(count: number | undefined): string {
  if (count === undefined) return 'All flows';
  return `${count.toLocaleString('en')} ${count === 1 ? 'flow' : 'flows'}`;
}
