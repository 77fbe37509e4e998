import { useBlocker } from '@tanstack/react-router';
import { getSession } from '#web/shared/session.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';

/** Asks before the page is left while it sends. Signing out is not held up. */
export function LeaveGuard({ isSending }: { isSending: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isSending && current.pathname !== next.pathname && getSession().token !== null,
    enableBeforeUnload: isSending,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.status === 'blocked' && blocker.reset()}
      title="Leave while messages are being sent?"
      confirmLabel="Leave and pause"
      cancelLabel="Stay"
      danger={false}
      onConfirm={() => {
        if (blocker.status === 'blocked') blocker.proceed();
      }}
    >
      Sending pauses when you leave this page. Come back to resume it; no row is sent to twice.
    </ConfirmDialog>
  );
}
