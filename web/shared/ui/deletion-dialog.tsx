import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../api-error.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { notify } from './toast-store.ts';

type DeletionDialogProps = {
  isOpen?: boolean;
  onClose: () => void;
  /** Names the thing: 'Delete segment "Lapsed"?' */
  title: string;
  /** The consequence. */
  children: ReactNode;
  /** 'Segment deleted' */
  done: string;
  /** 'Failed to delete segment', where the answer says nothing better. */
  failed: string;
  remove: () => Promise<unknown>;
  /** Once it is gone: leaves a page that is about it first, then forgets and reloads what was read. */
  onDeleted: () => Promise<unknown>;
};

/** Asks before something is deleted for good, deletes it, and says what came of it by toast. */
export function DeletionDialog(props: DeletionDialogProps) {
  const { isOpen = true, onClose, title, children, done, failed, remove, onDeleted } = props;
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      notify.success(done, { durationMs: 2000 });
      return onDeleted();
    },
    onError: (error) => notify.error(errorText(error, failed)),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={async () => void (await removal.mutateAsync())}
    >
      {children}
    </ConfirmDialog>
  );
}
