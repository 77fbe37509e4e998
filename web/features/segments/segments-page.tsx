import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RefreshCw, Shapes, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Segment } from '#contracts/segments.ts';
import { errorText } from '#web/shared/api-error.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
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
import { notify } from '#web/shared/ui/toast-store.ts';
import { DeleteSegmentDialog } from './delete-segment-dialog.tsx';
import { segmentColumns } from './segment-columns.tsx';
import { SegmentDialog } from './segment-dialog.tsx';
import { pageSize, segmentQuery, segmentsQuery } from './segment-queries.ts';
import { firstOrders, segmentSearch, type SegmentSort } from './segment-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

const bulkChoices: readonly BulkChoice[] = [
  {
    action: 'delete',
    label: 'Delete',
    icon: <Trash2 />,
    danger: true,
    consequence: 'Their profiles stay. Campaigns that are still waiting for them fail.',
  },
];

export function SegmentsPage() {
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(segmentSearch);
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Segment>();
  useNewOnArrival(() => setAdding(true));
  const query = useQuery(segmentsQuery(search));
  const segments = query.data?.data;
  const total = query.data?.total ?? segments?.length;
  const edited = useEdited(segments, search.edit);
  const { sort = 'created', order = firstOrders[sort] } = search;
  const isNarrowed = search.search !== undefined;
  const clear = () => change({ search: undefined, page: undefined });
  const filter = { search: search.search };
  const selection = useSelection({ rows: segments, rowId: ({ id }) => id, total, resetKey: JSON.stringify(filter) });
  const bulk = useBulk({
    resource: 'segments',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.segments }),
  });
  const { columns, chooser } = useColumns(
    'segments',
    segmentColumns({ onEdit: ({ id }) => showDialog(id), onDelete: setDeleted }),
    { cols: search.cols, onCols: (cols) => change({ cols }) },
  );
  const showDialog = (edit: number | undefined) => change({ edit });

  async function refresh(): Promise<void> {
    await queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    const failure = queryClient.getQueryState(segmentsQuery(search).queryKey)?.error;
    if (failure) notify.error(errorText(failure, 'Failed to fetch segments'));
  }

  return (
    <>
      <PageHeader
        title="Segments"
        description="Group profiles by reusable conditions"
        actions={
          <>
            <Button icon={<RefreshCw aria-hidden="true" className="size-4" />} onClick={() => void refresh()}>
              Refresh
            </Button>
            <Button variant="primary" icon={plus} onClick={() => setAdding(true)}>
              New Segment
            </Button>
          </>
        }
      />
      {bulk.progress}
      <Card flush {...((isNarrowed || segments?.length !== 0) && { title: titleOf(total) })}>
        {(isNarrowed || segments?.length !== 0) && (
          <ListTools
            searchLabel="Search segments"
            search={search.search ?? ''}
            onSearch={(text) => change({ search: text || undefined, page: undefined })}
            onClear={clear}
          >
            <SavedViews list="segments" cols={chooser.cols} />
            <ColumnChooser {...chooser} />
          </ListTools>
        )}
        <DataTable
          label="Segments"
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          selection={selection}
          query={query}
          loadingText="Loading segments..."
          failureText="Failed to fetch segments"
          sorting={{
            by: sort,
            order,
            onSort: (by, next) => change({ sort: by as SegmentSort, order: next, page: undefined }),
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
              <NoMatch title="No segment matches" onClear={clear} />
            ) : (
              <EmptyState
                icon={<Shapes aria-hidden="true" />}
                title="No segments yet. Create your first one."
                hint="A segment is a saved condition. Its members are whoever matches now."
                action={
                  <Button icon={plus} onClick={() => setAdding(true)}>
                    New Segment
                  </Button>
                }
              />
            )
          }
        />
      </Card>
      <BulkBar
        resource="segments"
        noun="segments"
        choices={bulkChoices}
        selection={selection}
        total={total}
        bulk={bulk}
      />
      {isAdding && <SegmentDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <SegmentDialog segment={edited} onClose={() => showDialog(undefined)} />}
      {deleted !== undefined && <DeleteSegmentDialog segment={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

/** The segment whose dialog the address opens: of this page, or of another one. */
function useEdited(shown: readonly Segment[] | undefined, id: number | undefined): Segment | undefined {
  const onPage = shown?.find((segment) => segment.id === id);
  const isElsewhere = id !== undefined && shown !== undefined && onPage === undefined;
  const { data } = useQuery({ ...segmentQuery(id ?? 0), enabled: isElsewhere });
  return onPage ?? (isElsewhere ? data : undefined);
}

function titleOf(count: number | undefined): string {
  if (count === undefined) return 'All segments';
  return `${count.toLocaleString('en')} ${count === 1 ? 'segment' : 'segments'}`;
}
