import { useMutation } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** On every page of an account that is to be deleted: when, and for owners the way back. */
export function DeletionBanner() {
  const { deletesAt } = useSession();
  const can = useCan();
  const keep = useMutation({
    mutationFn: () => callApi('POST /api/account/restore'),
    onSuccess: async () => {
      await refreshCurrentUser();
      notify.success('The account stays');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to keep the account')),
  });
  if (deletesAt === null) return null;
  return (
    <section aria-label="Deletion of the account" className="mx-auto w-full max-w-316 px-4 pt-4 sm:px-8">
      <Notice live color="red" title={`This account will be deleted on ${formatLongDate(deletesAt)}`}>
        <p>Numbers are disconnected, keys have stopped and nothing is sent. Exports still work.</p>
        {can('owners:write') ? (
          <Button className="mt-2" size="small" busy={keep.isPending && 'Keeping...'} onClick={() => keep.mutate()}>
            Keep the account
          </Button>
        ) : (
          <p>An owner can keep it until then.</p>
        )}
      </Notice>
    </section>
  );
}
