import type { BulkRun } from '#contracts/bulk-runs.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { useBulkRunAction } from './use-bulk-run-action.ts';

export function StopRunDialog({ run, onClose }: { run: BulkRun; onClose: () => void }) {
  const stop = useBulkRunAction('stop');
  const left = run.waiting_count.toLocaleString('en');
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Stop this run?"
      confirmLabel="Stop the run"
      busyLabel="Stopping..."
      cancelLabel="Keep it running"
      onConfirm={async () => void (await stop.mutateAsync(run))}
    >
      The {left} {run.waiting_count === 1 ? 'row that waits is' : 'rows that wait are'} never sent, and a stopped run
      cannot go on. Pause it if you are not sure.
    </ConfirmDialog>
  );
}
