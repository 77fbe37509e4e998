import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DeleteRunDialogProps = { run: BulkRun; onClose: () => void; onDeleted: () => Promise<void> };

export function DeleteRunDialog({ run, onClose, onDeleted }: DeleteRunDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/bulk-runs/{runId}', { params: { runId: run.id } }),
    onSuccess: async () => {
      notify.success('Run deleted');
      await onDeleted();
      queryClient.removeQueries({ queryKey: queryKeys.bulkRun(run.id) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.bulkRuns });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete the run')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete run "${run.name}"?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      Its rows and results go, and what is left is not sent. What was sent stays in the records. This cannot be undone.
    </ConfirmDialog>
  );
}
