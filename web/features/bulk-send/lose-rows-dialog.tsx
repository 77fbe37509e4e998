import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';

/** The loss that comes with the rows of a file: a run that is not done, or its results. */
export type Loss = 'replace-running' | 'remove-running' | 'remove-results';

const words: Record<Loss, { title: (fileName: string) => string; consequence: string; confirm: string }> = {
  'replace-running': {
    title: (fileName) => `Stop sending to ${fileName}?`,
    consequence: 'The new file takes its place. Rows that have not been sent to yet get no message.',
    confirm: 'Stop and replace',
  },
  'remove-running': {
    title: (fileName) => `Stop sending to ${fileName}?`,
    consequence: 'Rows that have not been sent to yet get no message. The run and its results stay under Past runs.',
    confirm: 'Stop and remove',
  },
  'remove-results': {
    title: (fileName) => `Remove ${fileName}?`,
    consequence: 'Its results stay under Past runs.',
    confirm: 'Remove',
  },
};

type LoseRowsDialogProps = { loss: Loss; fileName: string; onClose: () => void; onConfirm: () => Promise<void> };

export function LoseRowsDialog({ loss, fileName, onClose, onConfirm }: LoseRowsDialogProps) {
  const { title, consequence, confirm } = words[loss];
  return (
    <ConfirmDialog isOpen onClose={onClose} title={title(fileName)} confirmLabel={confirm} onConfirm={onConfirm}>
      {consequence}
    </ConfirmDialog>
  );
}
