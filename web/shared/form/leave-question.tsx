import { useBlocker, useRouter } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { getSession } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

type DiscardQuestionProps = { isOpen: boolean; onKeep: () => void; onDiscard: () => void };

export function DiscardQuestion({ isOpen, onKeep, onDiscard }: DiscardQuestionProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onKeep}
      title="Discard what you typed?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={onDiscard}
    >
      Your changes have not been saved.
    </ConfirmDialog>
  );
}

type LeaveQuestionProps = {
  /** Something was typed. */
  isAsked: boolean;
  /** Whether leaving would lose it. */
  isLoss: () => Promise<boolean>;
  /** The form leaves by itself: it was saved or discarded. Undefined while it cannot. */
  isClosing: RefObject<boolean> | undefined;
  /** A draft has it, or is about to: a reload loses nothing. */
  isKept: boolean;
};

/** Asks before the browser's Back takes a form with it, and before a reload does. Outside of a router there is nowhere to go back to. */
export function LeaveQuestion(props: LeaveQuestionProps) {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | null;
  return router === null ? null : <RoutedQuestion {...props} />;
}

function RoutedQuestion({ isAsked, isLoss, isClosing, isKept }: LeaveQuestionProps) {
  const blocker = useBlocker({
    // A session that ends takes the page with it.
    shouldBlockFn: async () =>
      isAsked && isClosing?.current !== true && getSession().token !== null && (await isLoss()),
    enableBeforeUnload: () => isAsked && !isKept && isClosing?.current !== true,
    disabled: !isAsked,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  return (
    <DiscardQuestion
      isOpen={isBlocked}
      onKeep={() => isBlocked && blocker.reset()}
      onDiscard={() => isBlocked && blocker.proceed()}
    />
  );
}
