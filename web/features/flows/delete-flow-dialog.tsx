import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DeleteFlowDialogProps = {
  flow: Flow;
  onClose: () => void;
  /** Leaves a page that is about the flow. */
  onDeleted?: () => Promise<void>;
};

export function DeleteFlowDialog({ flow, onClose, onDeleted }: DeleteFlowDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/flows/{flowId}', { params: { flowId: flow.id } }),
    onSuccess: async () => {
      notify.success('Flow deleted', { durationMs: 2000 });
      // The page first: it would ask for what is gone.
      await onDeleted?.();
      queryClient.removeQueries({ queryKey: [...queryKeys.flows, flow.id] });
      await queryClient.invalidateQueries({ queryKey: queryKeys.flows });
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
