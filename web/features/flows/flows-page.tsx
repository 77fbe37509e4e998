import { useQuery } from '@tanstack/react-query';
import { Plus, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { ActivateFlowDialog } from './activate-flow-dialog.tsx';
import { FlowDialog } from './builder/flow-dialog.tsx';
import { DeleteFlowDialog } from './delete-flow-dialog.tsx';
import { DeliveriesDialog } from './deliveries/deliveries-dialog.tsx';
import { flowColumns } from './flow-columns.tsx';
import { flowsQuery } from './flow-queries.ts';
import { useFlowSearch } from './use-flow-search.ts';
import { useRunFlow } from './use-run-flow.ts';
import { useSetActive } from './use-set-active.ts';

export function FlowsPage() {
  const [search, show] = useFlowSearch();
  const [isAdding, setAdding] = useState(false);
  const [activated, setActivated] = useState<Flow>();
  const [deleted, setDeleted] = useState<Flow>();
  useNewOnArrival(() => setAdding(true));
  const query = useQuery(flowsQuery());
  const { data: projects, isPending: areProjectsLoading } = useQuery(projectsQuery());
  const run = useRunFlow();
  const setActive = useSetActive();
  const flows = query.data?.data;
  const edited = flows?.find(({ id }) => id === search.edit);
  const delivered = flows?.find(({ id }) => id === search.deliveries);

  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;

  const columns = flowColumns({
    projectName,
    runningId: run.isPending ? run.variables.id : undefined,
    onRun: (flow) => run.mutate(flow),
    onDeliveries: ({ id }) => show({ deliveries: id }),
    onEdit: ({ id }) => show({ edit: id }),
    onSetActive: (flow) => (flow.active ? setActive.mutate({ id: flow.id, active: false }) : setActivated(flow)),
    onDelete: setDeleted,
  });

  return (
    <>
      <PageHeader
        title="Flows"
        description="Send a message by itself when a profile matches your conditions"
        actions={
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setAdding(true)}
          >
            New Flow
          </Button>
        }
      />
      <Card flush className="overflow-clip">
        <DataTable
          label="Flows"
          columns={columns}
          rowKey={({ id }) => id}
          query={query}
          loadingText="Loading flows..."
          failureText="Failed to fetch flows"
          empty={
            <EmptyState
              icon={<Workflow aria-hidden="true" />}
              title="No flows yet. Create your first one above."
              hint="A flow watches your profiles and writes to each one that begins to match."
            />
          }
        />
      </Card>
      {isAdding && !areProjectsLoading && <FlowDialog projects={projects} onClose={() => setAdding(false)} />}
      {edited !== undefined && !areProjectsLoading && (
        <FlowDialog key={edited.id} flow={edited} projects={projects} onClose={() => show({})} />
      )}
      {delivered !== undefined && (
        <DeliveriesDialog
          key={delivered.id}
          flow={delivered}
          projectName={projectName}
          page={search.page ?? 1}
          onPage={(page) => show({ deliveries: delivered.id, page })}
          onClose={() => show({})}
        />
      )}
      {activated !== undefined && <ActivateFlowDialog flow={activated} onClose={() => setActivated(undefined)} />}
      {deleted !== undefined && <DeleteFlowDialog flow={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
