import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { noteElsewhere, setCurrentProject, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** For a member of several accounts. Each page is loaded anew under the account that is chosen. */
export function AccountSelect() {
  const { membership } = useSession();
  const { data: accounts = [] } = useQuery({
    queryKey: ['own-accounts'],
    queryFn: async ({ signal }) => (await callApi('GET /api/user/accounts', {}, { signal })).data,
    enabled: membership !== null,
  });
  const [chosen, setChosen] = useState<number>();
  const change = useMutation({
    mutationFn: (id: number) => callApi('POST /api/user/switch-account', { body: { account_id: id } }),
    onSuccess: () => loadAnew(),
    onError: (error) => {
      setChosen(undefined);
      notify.error(errorText(error, 'Failed to switch to the account'));
    },
  });
  if (membership === null || accounts.length < 2) return null;
  return (
    <SelectInput
      size="small"
      className="mt-3"
      aria-label="Account"
      value={String(chosen ?? membership.account.id)}
      busy={change.isPending}
      options={accounts.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(event) => {
        setChosen(Number(event.target.value));
        change.mutate(Number(event.target.value));
      }}
    />
  );
}

function loadAnew(): void {
  setCurrentProject(null);
  location.assign('/');
}

/** Another tab has switched: what was begun here is saved under its own account, or not at all. */
export function ElsewhereDialog() {
  const { membership, isElsewhere } = useSession();
  const goBack = useMutation({
    mutationFn: (id: number) => callApi('POST /api/user/switch-account', { body: { account_id: id } }),
    onSuccess: () => noteElsewhere(false),
    onError: (error) => notify.error(errorText(error, 'Failed to switch back')),
  });
  if (membership === null) return null;
  const { id, name } = membership.account;
  return (
    <Dialog
      isOpen={isElsewhere}
      onClose={() => noteElsewhere(false)}
      title="You have switched to another account"
      description="It was in another tab. Nothing of this page is saved there."
    >
      <DialogBody>
        <p>
          This page shows <bdi className="font-medium">{name}</bdi>. Go back to it, and what you have begun here can be
          saved.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={loadAnew}>Go on in the other account</Button>
        <Button variant="primary" busy={goBack.isPending && 'Switching...'} onClick={() => goBack.mutate(id)}>
          Go back
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
