import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { useSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** For owners: the account goes in 14 days, and until then the banner above each page takes it back. */
export function DeleteAccountCard() {
  const { deletesAt, membership, user } = useSession();
  const [isAsking, setAsking] = useState(false);
  const name = membership?.account.name ?? user?.name ?? '';
  return (
    <Card
      id="delete-account"
      title="Delete the account"
      className="border-red-dot"
      description="Everything in it, for everybody. It stops at once and is deleted after 14 days. Until then an owner can take it back."
      actions={
        deletesAt === null && (
          <Button variant="outline-danger" onClick={() => setAsking(true)}>
            Delete the account
          </Button>
        )
      }
      flush
    >
      {deletesAt !== null && (
        <p className="px-4 py-3 text-muted sm:px-5">It will be deleted on {formatLongDate(deletesAt)}.</p>
      )}
      {isAsking && <DeleteAccountDialog name={name} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteAccountDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/account'),
    onSuccess: async () => {
      await refreshCurrentUser();
      notify.success('The account will be deleted in 14 days');
      onClose();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete the account')),
  });
  const isSame = typed.trim() === name.trim();
  return (
    <Dialog role="alertdialog" isOpen onClose={onClose} title={`Delete the account of ${name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame) remove.mutate();
        }}
      >
        <DialogBody>
          <ul className="grid list-disc gap-2 pl-5">
            <li>
              At once: campaigns and flows stop, keys are switched off, numbers are disconnected, and the subscription
              is cancelled.
            </li>
            <li>
              For 14 days an owner can take it back, and an export can still be made. Numbers are linked anew then.
            </li>
            <li>
              After that contacts, messages and their files are gone for good. Records of payments are kept by law.
            </li>
          </ul>
          <Field label={`Type ${name} to go on`}>
            {(control) => (
              <input
                {...control}
                className={clsx(controlClass, 'h-(--control) px-3')}
                value={typed}
                autoComplete="off"
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Keep the account</Button>
          <Button type="submit" variant="danger" disabled={!isSame} busy={remove.isPending && 'Deleting...'}>
            Delete the account
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
