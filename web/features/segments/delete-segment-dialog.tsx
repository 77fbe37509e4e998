import { useQueryClient } from '@tanstack/react-query';
import type { Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { DeletionConsequence } from './segment-usage.tsx';

export function DeleteSegmentDialog({ segment, onClose }: { segment: Segment; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete segment "${segment.name}"?`}
      done="Segment deleted"
      failed="Failed to delete segment"
      remove={() => callApi('DELETE /api/segments/{segmentId}', { params: { segmentId: segment.id } })}
      undo={{ resource: 'segments', id: segment.id }}
      onUndone={() => queryClient.invalidateQueries({ queryKey: queryKeys.segments })}
      onDeleted={async () => {
        // The list first: until the row is gone, its count would be asked for.
        await queryClient.invalidateQueries({ queryKey: queryKeys.segments, exact: true });
        queryClient.removeQueries({ queryKey: [...queryKeys.segments, segment.id] });
        await queryClient.invalidateQueries({ queryKey: queryKeys.segments });
      }}
    >
      <DeletionConsequence segmentId={segment.id} />
    </DeletionDialog>
  );
}
