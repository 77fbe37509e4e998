import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { deliveriesPageSize, deliveriesQuery } from '../flow-queries.ts';
import { deliveryColumns } from './delivery-columns.tsx';

type DeliveriesTableProps = {
  flowId: number;
  projectName: (projectId: number) => string;
  page: number;
  /** Without it the pages are turned elsewhere. */
  onPage?: (page: number) => void;
};

/** What a flow has sent and is to send, newest first. */
export function DeliveriesTable({ flowId, projectName, page, onPage }: DeliveriesTableProps) {
  return (
    <DataTable
      label="Deliveries"
      columns={deliveryColumns(projectName)}
      rowKey={({ id }) => id}
      query={useQuery(deliveriesQuery(flowId, page))}
      skeletonRows={8}
      loadingText="Loading deliveries..."
      failureText="Failed to fetch deliveries"
      {...(onPage && { paging: { page, pageSize: deliveriesPageSize, onPage } })}
      empty={
        <EmptyState
          icon={<Send aria-hidden="true" />}
          title="No deliveries yet."
          hint="Whoever gets this flow's message appears here."
        />
      }
    />
  );
}
