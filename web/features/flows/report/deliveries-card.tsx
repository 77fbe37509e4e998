import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { deliveriesPageSize, deliveriesQuery } from '../flow-queries.ts';

/** Who got the message, newest first. */
export function DeliveriesCard({ flow }: { flow: Flow }) {
  const { page = 1 } = useSearch({ from: '/shell/flows/$flowId' });
  const navigate = useNavigate();
  const query = useQuery(deliveriesQuery(flow.id, page));
  const { data: projects } = useQuery(projectsQuery());
  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;
  return (
    <Card flush title="Deliveries">
      <DataTable
        label="Deliveries"
        columns={deliveryColumns(projectName)}
        rowKey={({ id }) => id}
        query={query}
        skeletonRows={8}
        loadingText="Loading deliveries..."
        failureText="Failed to fetch deliveries"
        paging={{
          page,
          pageSize: deliveriesPageSize,
          onPage: (next) =>
            void navigate({ to: '.', search: next > 1 ? { page: next } : {}, replace: true, resetScroll: false }),
        }}
        empty={
          <EmptyState
            icon={<Send aria-hidden="true" />}
            title="No deliveries yet."
            hint="Whoever gets this flow's message appears here."
          />
        }
      />
    </Card>
  );
}
