import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogFooter } from './dialog.tsx';

type ConfirmDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** Names the thing: 'Delete Support US?' */
  title: string;
  /** The consequence. */
  children: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  cancelLabel?: string;
  danger?: boolean;
  /** Runs while the button is busy; the dialog closes afterwards unless it throws. */
  onConfirm: () => Promise<void> | void;
};

/** Asks before something that cannot be taken back. Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    onClose,
    title,
    children,
    confirmLabel,
    busyLabel,
    cancelLabel = 'Cancel',
    danger = true,
    onConfirm,
  } = props;
  const [isBusy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch {
      // The caller has told the user; the dialog stays for another try.
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      role="alertdialog"
      isOpen={isOpen}
      onClose={() => !isBusy && onClose()}
      title={title}
      description={children}
    >
      <div className="h-5" />
      <DialogFooter>
        <Button data-autofocus disabled={isBusy} onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          busy={isBusy && (busyLabel ?? confirmLabel)}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
