import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RefreshCw, Shapes, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Segment, SegmentUser } from '#contracts/segments.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { KeptDrafts } from '#web/shared/drafts/kept-drafts.tsx';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import { ListScreen } from '#web/shared/table/list-screen.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { useList } from '#web/shared/table/use-list.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { PageSkeleton } from '#web/shared/ui/page-skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { DeleteSegmentDialog } from './delete-segment-dialog.tsx';
import { segmentColumns } from './segment-columns.tsx';
import type { Grouped } from './segment-dialog.tsx';
import { SegmentEditor, useMissing } from './segment-editor.tsx';
import { pageSize, segmentQuery, segmentsQuery } from './segment-queries.ts';
import { firstOrders, segmentSearch, segmentUsers } from './segment-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

const userLabels: Readonly<Record<SegmentUser, string>> = {
  flow: 'by a flow',
  campaign: 'by a campaign',
  segment: 'by another segment',
  nowhere: 'nowhere',
};

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
  const [search, change] = useListSearch(segmentSearch);
  const { editor, ...editors } = useEditor(paths.segments);
  const [typed, setTyped] = useState<Grouped>();
  useNewOnArrival(editors.openNew);
  const { data } = useQuery({ ...segmentsQuery(search), enabled: false });
  const id = editor?.kind === 'edit' ? editor.id : undefined;
  const onPage = data?.data.find((segment) => segment.id === id);
  const fetched = useQuery({ ...segmentQuery(id ?? 0), enabled: id !== undefined && onPage === undefined });
  // Changes of the segment while it is edited are not shown: the text that is typed is a change of what was there.
  const [opened, setOpened] = useState<Segment>();
  const found = id === undefined ? undefined : opened?.id === id ? opened : (onPage ?? fetched.data);
  if (found !== opened) setOpened(found);
  const isGrouped = search.groups !== undefined || search.event !== undefined || found?.condition === null;
  const isWaiting = id !== undefined && found === undefined;
  const close = () => {
    setTyped(undefined);
    editors.close();
  };
  const isMissing = hasStatus(fetched.error, 404);
  useMissing(isWaiting && isMissing ? fetched.error : null, (error) => {
    notify.error(errorText(error, 'Segment not found'));
    close();
  });
  if (isWaiting && fetched.error !== null && !isMissing) {
    return (
      <Card flush>
        <ErrorPanel
          title="Failed to load the segment"
          detail={errorText(fetched.error, 'Try again in a moment.')}
          onRetry={() => void fetched.refetch()}
        />
      </Card>
    );
  }
  if (isWaiting && fetched.error === null) return <PageSkeleton what="segment" cards={['h-40', 'h-64']} />;
  return (
    <>
      {(editor === undefined || !isGrouped) && <SegmentsList onNew={editors.openNew} onEdit={editors.openEdit} />}
      {editor !== undefined && !isWaiting && (
        <SegmentEditor
          key={id ?? 'new'}
          segment={found}
          isGrouped={isGrouped}
          typed={typed}
          event={search.event}
          onClose={close}
          onGroup={(first) => {
            setTyped(first);
            change({ groups: 'true' }, { replace: true });
          }}
        />
      )}
    </>
  );
}

type SegmentsListProps = { onNew: () => void; onEdit: (segmentId: number) => void };

function SegmentsList({ onNew, onEdit }: SegmentsListProps) {
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(segmentSearch);
  const can = useCan();
  const [deleted, setDeleted] = useState<Segment>();
  const query = useQuery(segmentsQuery(search));
  const list = useList({
    list: 'segments',
    address: [search, change],
    filters: ['used_by'],
    query,
    columns: segmentColumns({ onEdit: ({ id }) => onEdit(id), onDelete: setDeleted }),
    usualSort: 'created',
    firstOrders,
    pageSize,
  });
  const { selection, filter, total } = list;
  const bulk = useBulk({
    resource: 'segments',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.segments }),
  });

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
            <Button needs="contacts:write" variant="primary" icon={plus} onClick={onNew}>
              New Segment
            </Button>
          </>
        }
      />
      <KeptDrafts kind="segment" noun="segment" onContinue={onNew} />
      {bulk.progress}
      <ListScreen
        list={list}
        noun="segment"
        nouns="segments"
        failureText="Failed to fetch segments"
        rowLabel={({ name }) => name}
        filters={
          can('campaigns:read') && (
            <ChoiceFilter
              label="Used"
              verb=""
              options={segmentUsers.map((value) => ({ value, label: userLabels[value] }))}
              value={search.used_by}
              onChange={(chosen) =>
                change({ used_by: segmentUsers.find((known) => known === chosen), page: undefined })
              }
            />
          )
        }
        empty={
          <EmptyState
            icon={<Shapes aria-hidden="true" />}
            title="No segments yet. Create your first one."
            hint="A segment is a saved condition. Its members are whoever matches now."
            action={
              <Button needs="contacts:write" icon={plus} onClick={onNew}>
                New Segment
              </Button>
            }
          />
        }
      />
      <BulkBar
        resource="segments"
        noun="segments"
        choices={bulkChoices}
        selection={selection}
        total={total}
        bulk={bulk}
      />
      {deleted !== undefined && <DeleteSegmentDialog segment={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
