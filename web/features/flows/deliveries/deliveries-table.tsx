import { useQuery } from '@tanstack/react-query';
import { SearchX, Send } from 'lucide-react';
import type { EntrySearch } from '#web/shared/report/entry-search.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { deliveriesPageSize, deliveriesQuery } from '../flow-queries.ts';
import { deliveryColumns } from './delivery-columns.tsx';

type DeliveriesTableProps = {
  flowId: number;
  projectName: (projectId: number) => string;
  search: EntrySearch;
  /** Without it the pages are turned elsewhere. */
  onChange?: (search: EntrySearch) => void;
};

/** What a flow has sent and is to send, newest first. */
export function DeliveriesTable({ flowId, projectName, search, onChange }: DeliveriesTableProps) {
  const { page = 1, status } = search;
  return (
    <DataTable
      label="Deliveries"
      columns={deliveryColumns(projectName)}
      rowKey={({ id }) => id}
      query={useQuery(deliveriesQuery(flowId, search))}
      skeletonRows={8}
      loadingText="Loading deliveries..."
      failureText="Failed to fetch deliveries"
      {...(onChange && {
        paging: {
          page,
          pageSize: deliveriesPageSize,
          onPage: (next) => onChange({ ...(status && { status }), ...(next > 1 && { page: next }) }),
        },
      })}
      empty={
        status === undefined ? (
          <EmptyState
            icon={<Send aria-hidden="true" />}
            title="No deliveries yet."
            hint="Whoever gets this flow's message appears here."
          />
        ) : (
          <EmptyState
            icon={<SearchX aria-hidden="true" />}
            title="No delivery has this status"
            {...(onChange && { action: <Button onClick={() => onChange({})}>Show all</Button> })}
          />
        )
      }
    />
  );
}
