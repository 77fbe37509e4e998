import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, RefreshCw, Shapes } from 'lucide-react';
import { useState } from 'react';
import type { Segment } from '#contracts/segments.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { DeleteSegmentDialog } from './delete-segment-dialog.tsx';
import { segmentColumns } from './segment-columns.tsx';
import { SegmentDialog } from './segment-dialog.tsx';
import { segmentsQuery } from './segment-queries.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

export function SegmentsPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { edit: editedId } = useSearch({ from: '/shell/segments' });
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Segment>();
  useNewOnArrival(() => setAdding(true));
  const query = useQuery(segmentsQuery());
  const segments = query.data?.data;
  const edited = segments?.find(({ id }) => id === editedId);

  const showDialog = (edit: number | undefined) =>
    void navigate({ to: '.', search: edit === undefined ? {} : { edit }, replace: true, resetScroll: false });

  async function refresh(): Promise<void> {
    await queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    const failure = queryClient.getQueryState(segmentsQuery().queryKey)?.error;
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
      <Card flush>
        <DataTable
          label="Segments"
          columns={segmentColumns({ onEdit: ({ id }) => showDialog(id), onDelete: setDeleted })}
          rowKey={({ id }) => id}
          query={query}
          loadingText="Loading segments..."
          failureText="Failed to fetch segments"
          empty={
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
          }
        />
        {segments !== undefined && segments.length > 0 && (
          <p className="border-t px-4 py-3 text-13 text-muted tabular-nums sm:px-5">
            {segments.length.toLocaleString('en')} {segments.length === 1 ? 'segment' : 'segments'}
          </p>
        )}
      </Card>
      {isAdding && <SegmentDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <SegmentDialog segment={edited} onClose={() => showDialog(undefined)} />}
      {deleted !== undefined && <DeleteSegmentDialog segment={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
