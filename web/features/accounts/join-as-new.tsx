import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { SignedIn } from '#contracts/accounts.ts';
import type { Role } from '#contracts/roles.ts';
import { NewPerson } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { PasswordRules } from '#web/shared/form/password-rules.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { createPasskey, hasPasskeys, passkeyFailure } from '#web/shared/passkey.ts';
import { RecoveryCodesDialog } from '#web/shared/recovery-codes-dialog.tsx';
import { clearSession, getSession, startSession } from '#web/shared/session.ts';
import { ownTimeZone } from '#web/shared/time-zones.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { enter } from './enter.ts';
import { OrLine } from './or-line.tsx';
import { signInFailure } from './sign-in-with.ts';

export type JoinAsProps = { token: string; role: Role };

const NewPersonForm = NewPerson.omit({ timezone: true });

/** Somebody who has no login yet: with a password, or with a passkey. */
export function JoinAsNew({ token, role }: JoinAsProps) {
  const form = useZodForm(NewPersonForm, { name: '', password: '' });
  const join = useMutation({
    mutationFn: async (person: Omit<NewPerson, 'timezone'>) => {
      // Of somebody else, whose session would be asked to accept.
      if (getSession().token !== null) clearSession();
      const body = { ...person, timezone: ownTimeZone() };
      startSession(await callApi('POST /api/invitations/{token}/accept', { params: { token }, body }));
      await enter(role);
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) notify.error(signInFailure(error, 'Failed to join'));
    },
  });
  // The session begins once the codes are kept: with it the page would ask the person to join as who they are.
  const [joined, setJoined] = useState<SignedIn & { recovery_codes?: readonly string[] | undefined }>();
  const joinByKey = useMutation({
    mutationFn: async () => {
      const params = { token };
      const { name } = form.getValues();
      const options = await callApi('POST /api/invitations/{token}/passkey-options', { params, body: { name } });
      const passkey = await createPasskey(options);
      const body = { name, timezone: ownTimeZone(), passkey };
      setJoined(await callApi('POST /api/invitations/{token}/accept', { params: { token }, body }));
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) notify.error(passkeyFailure(error, 'Failed to join'));
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => join.mutate(values))(event)}
      className="grid gap-5"
    >
      <TextField form={form} name="name" label="Your name" autoComplete="name" />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        autoComplete="new-password"
        hint={<PasswordRules password={form.watch('password')} />}
      />
      <Button type="submit" variant="primary" size="large" busy={join.isPending && 'Joining...'}>
        Join with a password
      </Button>
      {hasPasskeys() && (
        <>
          <OrLine text="or without one" />
          <Button
            size="large"
            icon={<KeyRound aria-hidden="true" className="size-4" />}
            busy={joinByKey.isPending && 'Waiting for the passkey...'}
            onClick={() =>
              void form.trigger('name', { shouldFocus: true }).then((isNamed) => isNamed && joinByKey.mutate())
            }
          >
            Join with a passkey
          </Button>
        </>
      )}
      {joined !== undefined && (
        <RecoveryCodesDialog
          codes={joined.recovery_codes ?? []}
          onClose={() => {
            startSession(joined);
            void enter(role);
          }}
        />
      )}
    </form>
  );
}
