import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

export function DeleteSegmentDialog({ segment, onClose }: { segment: Segment; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/segments/{segmentId}', { params: { segmentId: segment.id } }),
    onSuccess: async () => {
      notify.success('Segment deleted', { durationMs: 2000 });
      // The list first: until the row is gone, its count would be asked for.
      await queryClient.invalidateQueries({ queryKey: queryKeys.segments, exact: true });
      queryClient.removeQueries({ queryKey: [...queryKeys.segments, segment.id] });
      await queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete segment')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete segment "${segment.name}"?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      Its profiles stay. A campaign that is still waiting for this segment fails. This cannot be undone.
    </ConfirmDialog>
  );
}
