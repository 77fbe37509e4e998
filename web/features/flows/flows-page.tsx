import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pause, Plus, Power, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { Flow } from '#contracts/flows.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { KeptDrafts } from '#web/shared/drafts/kept-drafts.tsx';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { paths } from '#web/shared/paths.ts';
import { flowQuery, projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { ListScreen } from '#web/shared/table/list-screen.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { useList } from '#web/shared/table/use-list.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { ActivateFlowDialog } from './activate-flow-dialog.tsx';
import { FlowEditor } from './builder/flow-editor.tsx';
import { DeleteFlowDialog } from './delete-flow-dialog.tsx';
import { DeliveriesDialog } from './deliveries/deliveries-dialog.tsx';
import { flowColumns } from './flow-columns.tsx';
import { FlowFilters } from './flow-filters.tsx';
import { flowsQuery, pageSize } from './flow-queries.ts';
import { firstOrders, flowSearch } from './flow-search.ts';
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
  const delivered = useNamed(flows, search.deliveries);
  const close = () => change({ deliveries: undefined, sent: undefined });
  const closeAsked = () => setAsked(undefined);

  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;

  const list = useList({
    list: 'flows',
    address: [search, change],
    filters: ['active', 'project_id'],
    query,
    columns: flowColumns({
      projectName,
      runningId: run.isPending ? run.variables.id : undefined,
      onRun: (flow) => run.mutate(flow),
      onDeliveries: ({ id }) => change({ deliveries: id }),
      onEdit: ({ id }) => editors.openEdit(id),
      onDuplicate: ({ id }) => editors.openCopy(id),
      onSetActive: (flow) =>
        flow.active ? setActive.mutate({ id: flow.id, active: false }) : setAsked({ what: 'activate', flow }),
      onDelete: (flow) => setAsked({ what: 'delete', flow }),
    }),
    usualSort: 'created',
    firstOrders,
    pageSize,
  });
  const { selection, filter, total } = list;
  const bulk = useBulk({
    resource: 'flows',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.flows }),
  });

  return (
    <>
      <PageHeader
        title="Flows"
        description="Send a message by itself when a profile matches your conditions"
        actions={
          <Button
            needs="campaigns:write"
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={editors.openNew}
          >
            New Flow
          </Button>
        }
      />
      {bulk.progress}
      {editor === undefined && <KeptDrafts kind="flow" noun="flow" onContinue={editors.openNew} />}
      <ListScreen
        list={list}
        noun="flow"
        nouns="flows"
        failureText="Failed to fetch flows"
        rowLabel={({ name }) => name}
        filters={
          <FlowFilters
            search={search}
            projects={projects}
            onChange={(changes) => change({ ...changes, page: undefined })}
          />
        }
        empty={
          <EmptyState
            icon={<Workflow aria-hidden="true" />}
            title="No flows yet. Create your first one above."
            hint="A flow watches your profiles and writes to each one that begins to match."
          />
        }
      />
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
