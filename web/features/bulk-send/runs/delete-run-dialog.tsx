import { useQueryClient } from '@tanstack/react-query';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';

type DeleteRunDialogProps = { run: BulkRun; onClose: () => void; onDeleted: () => Promise<void> };

export function DeleteRunDialog({ run, onClose, onDeleted }: DeleteRunDialogProps) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete run "${run.name}"?`}
      done="Run deleted"
      failed="Failed to delete the run"
      remove={() => callApi('DELETE /api/bulk-runs/{runId}', { params: { runId: run.id } })}
      onDeleted={async () => {
        await onDeleted();
        queryClient.removeQueries({ queryKey: queryKeys.bulkRun(run.id) });
        await queryClient.invalidateQueries({ queryKey: queryKeys.bulkRuns });
      }}
    >
      Its rows and results go, and what is left is not sent. What was sent stays in the records. This cannot be undone.
    </DeletionDialog>
  );
}
