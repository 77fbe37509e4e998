import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

export function DeleteFlowDialog({ flow, onClose }: { flow: Flow; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/flows/{flowId}', { params: { flowId: flow.id } }),
    onSuccess: () => {
      notify.success('Flow deleted', { durationMs: 2000 });
      return queryClient.invalidateQueries({ queryKey: queryKeys.flows });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete flow')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete this flow?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      “{flow.name}” stops at once: messages that wait are not sent. What was sent stays in the records. This cannot be
      undone.
    </ConfirmDialog>
  );
}
