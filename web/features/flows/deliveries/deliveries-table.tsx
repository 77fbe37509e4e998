import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { isUnfiltered, onPage, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { NoEntryMatches } from '#web/shared/report/no-entry-matches.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { deliveriesPageSize, deliveriesQuery } from '../flow-queries.ts';
import { deliveryColumns } from './delivery-columns.tsx';

type DeliveriesTableProps = {
  flowId: number;
  projectName: (projectId: number) => string;
  search: EntrySearch;
  pageSize?: number;
  /** Without it the pages are turned elsewhere. */
  onChange?: (search: EntrySearch) => void;
};

/** The sent and pending deliveries of a flow, newest first. */
export function DeliveriesTable(props: DeliveriesTableProps) {
  const { flowId, projectName, search, pageSize = deliveriesPageSize, onChange } = props;
  const { page = 1 } = search;
  return (
    <DataTable
      label="Deliveries"
      columns={deliveryColumns({ projectName, isProjectKnown: onChange !== undefined })}
      rowKey={({ id }) => id}
      query={useQuery(deliveriesQuery(flowId, search, pageSize))}
      skeletonRows={8}
      loadingText="Loading deliveries..."
      failureText="Failed to fetch deliveries"
      {...(onChange && {
        paging: {
          page,
          pageSize,
          onPage: (next) => onChange(onPage(search, next)),
        },
      })}
      empty={
        isUnfiltered(search) ? (
          <EmptyState
            icon={<Send aria-hidden="true" />}
            title="No deliveries yet."
            hint="Whoever gets this flow's message appears here."
          />
        ) : (
          <NoEntryMatches what="delivery" search={search} onClear={onChange && (() => onChange({}))} />
        )
      }
    />
  );
}
