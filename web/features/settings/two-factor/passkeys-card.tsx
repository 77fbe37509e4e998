import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { PasskeyRenaming } from '#contracts/passkeys.ts';
import type { Passkey } from '#contracts/passkeys.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { createPasskey, hasPasskeys, passkeyFailure } from '#web/shared/passkey.ts';
import { passkeysQuery, twoFactorQuery } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { SettingIcon } from '../setting-icon.tsx';
import { RecoveryCodesDialog } from '#web/shared/recovery-codes-dialog.tsx';

export function useFactorsReload(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: twoFactorQuery().queryKey });
    await queryClient.invalidateQueries({ queryKey: passkeysQuery().queryKey });
  };
}

/** Adds a passkey of this device; resolves to the recovery codes that come with the first factor. */
export async function addPasskey(): Promise<readonly string[] | null> {
  const response = await createPasskey(await callApi('POST /api/user/passkeys/options'));
  const { recovery_codes: codes } = await callApi('POST /api/user/passkeys', { body: { response } });
  return codes;
}

/** The passkeys of the person. */
export function PasskeysCard() {
  const passkeys = useQuery(passkeysQuery());
  const [codes, setCodes] = useState<readonly string[]>();
  const reload = useFactorsReload();
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: async (recoveryCodes) => {
      notify.success('Passkey added');
      if (recoveryCodes) setCodes(recoveryCodes);
      await reload();
    },
    onError: (error) => notify.error(passkeyFailure(error, 'Failed to add the passkey')),
  });
  return (
    <Card
      id="passkeys"
      title="Passkeys"
      description="Sign in with a fingerprint, a face or a security key, without a password or a code"
      actions={
        <Button
          size="small"
          icon={<Plus aria-hidden="true" className="size-4" />}
          disabled={!hasPasskeys()}
          title={hasPasskeys() ? undefined : 'This browser knows no passkeys at this address'}
          busy={add.isPending && 'Adding...'}
          onClick={() => add.mutate()}
        >
          Add a passkey
        </Button>
      }
    >
      {passkeys.isPending && <Skeleton className="h-12" />}
      {passkeys.isError && <ErrorPanel title="Failed to load the passkeys" onRetry={() => void passkeys.refetch()} />}
      {passkeys.data?.length === 0 && <p className="text-13 text-muted">None yet.</p>}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul className="divide-y">
          {passkeys.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChanged={reload} />
          ))}
        </ul>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

type PasskeyRowProps = { passkey: Passkey; onChanged: () => Promise<void> };

function PasskeyRow({ passkey, onChanged }: PasskeyRowProps) {
  const { id, name, is_synced: isSynced, created_at: createdAt, last_used_at: lastUsedAt } = passkey;
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/user/passkeys/{passkeyId}', { params: { passkeyId: id } }),
    onSuccess: async () => {
      notify.success('Passkey removed');
      await onChanged();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to remove the passkey')),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <SettingIcon icon={KeyRound} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-13 text-muted">
          Since <DateTime at={createdAt} />
          {isSynced && ' · kept by a password manager'}
          {lastUsedAt === null ? (
            ' · never used'
          ) : (
            <>
              {' · used '}
              <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={() => setOpen('rename')}>
          Rename<span className="sr-only"> {name}</span>
        </Button>
        <Button size="small" onClick={() => setOpen('remove')}>
          Remove<span className="sr-only"> {name}</span>
        </Button>
      </div>
      {open === 'rename' && <RenameDialog passkey={passkey} onClose={close} onRenamed={onChanged} />}
      <ConfirmDialog
        isOpen={open === 'remove'}
        onClose={close}
        title={`Remove ${name}?`}
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync()}
      >
        It does not sign in any more, and every other browser is signed out. Remove it from the device or password
        manager as well.
      </ConfirmDialog>
    </li>
  );
}

type RenameDialogProps = { passkey: Passkey; onClose: () => void; onRenamed: () => Promise<void> };

function RenameDialog({ passkey: { id, name }, onClose, onRenamed }: RenameDialogProps) {
  const form = useZodForm(PasskeyRenaming, { name });
  return (
    <FormDialog
      onClose={onClose}
      title="Rename the passkey"
      form={form}
      onSubmit={async (body) => {
        await callApi('PATCH /api/user/passkeys/{passkeyId}', { params: { passkeyId: id }, body });
        await onRenamed();
      }}
      submitLabel="Save"
      busyLabel="Saving..."
      failureText="Failed to rename the passkey"
    >
      <TextField form={form} name="name" label="Name" />
    </FormDialog>
  );
}
