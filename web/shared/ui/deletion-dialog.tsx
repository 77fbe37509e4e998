import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BulkAction } from '#contracts/bulk-actions.ts';
import { errorText } from '../api-error.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { notify } from './toast-store.ts';
import { mayUndo, startDeletion, undoDeletion, type Undoable } from './undoable-deletion.ts';

type DeletionDialogProps = {
  isOpen?: boolean;
  onClose: () => void;
  /** Names the thing: 'Delete segment "Lapsed"?' */
  title: string;
  /** The consequence; of a thing with `undo`, the dialog adds whether it can be undone. */
  children: ReactNode;
  /** 'Segment deleted' */
  done: string;
  /** 'Failed to delete segment', where the answer says nothing better. */
  failed: string;
  /** Deletes at once and for good. */
  remove: () => Promise<unknown>;
  /** Of a thing whose deletion can be undone. */
  undo?: Undoable;
  /** Once it is gone: leaves a page that is about it first, then forgets and reloads what was read. */
  onDeleted: () => Promise<unknown>;
  /** Once it is back: reloads the list. */
  onUndone?: () => Promise<unknown>;
};

/** Asks before something is deleted, deletes it, and says what came of it by toast, which can undo it. */
export function DeletionDialog(props: DeletionDialogProps) {
  const { isOpen = true, onClose, title, children, done, failed, remove, undo, onDeleted, onUndone } = props;
  const isUndoable = undo !== undefined && mayUndo();
  const removal = useMutation({
    mutationFn: async () => {
      const started = isUndoable ? await startDeletion(undo) : undefined;
      if (started === undefined) await remove();
      return started;
    },
    onSuccess: (started) => {
      const action = started && canTakeBack(started) && { label: 'Undo', onSelect: () => void takeBack(started) };
      notify.success(done, action ? { action } : { durationMs: 2000 });
      return onDeleted();
    },
    onError: (error) => notify.error(errorText(error, failed)),
  });

  async function takeBack(started: BulkAction): Promise<void> {
    try {
      await undoDeletion(started);
      notify.success('Undone');
    } catch (error) {
      notify.error(errorText(error, 'Failed to undo'));
    }
    await (onUndone ?? onDeleted)();
  }

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
      {undo !== undefined && (isUndoable ? ' You can undo it right after.' : ' This cannot be undone.')}
    </ConfirmDialog>
  );
}

/** A campaign that was being created was deleted at once. */
const canTakeBack = ({ resource, starts_at: startsAt }: BulkAction) => startsAt !== null || resource === 'profiles';
