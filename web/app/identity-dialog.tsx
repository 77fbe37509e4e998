import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, LogIn } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IdentityProof } from '#contracts/two-factor.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import type { IdentityQuestion } from '#web/shared/identity-question.ts';
import { onConfirmation, openConfirmationWindow } from '#web/shared/oidc.ts';
import { askForPasskey, hasPasskeys, passkeyFailure } from '#web/shared/passkey.ts';
import { twoFactorQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const passwordForm = IdentityProof.pick({ password: true }).required();
const codeForm = IdentityProof.pick({ code: true }).required();

/** Asks for the password, or for a code where a second factor is set up, before a sensitive act goes on. */
export function IdentityDialog({ question }: { question: IdentityQuestion }) {
  const factors = useQuery(twoFactorQuery());
  const { user } = useSession();
  const hasApp = (factors.data?.totp ?? null) !== null;
  const hasPasskey = (factors.data?.passkeys ?? 0) > 0;
  const hasFactor = hasApp || hasPasskey;
  // A server of the release before says nothing of the password.
  const hasPassword = factors.data?.has_password ?? true;
  const provider = factors.data?.oidc ?? null;
  const isConfirmed = useRef(false);
  useEffect(() => onConfirmation(() => question.answer(true)), [question]);
  const form = useZodForm<typeof passwordForm | typeof codeForm>(hasFactor ? codeForm : passwordForm, {
    password: '',
    code: '',
  });
  const show = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(await callApi('POST /api/auth/confirm/passkey-options'));
      await callApi('POST /api/auth/confirm', { body: { passkey } });
    },
    onSuccess: () => question.answer(true),
    onError: (error) => notify.error(passkeyFailure(error, 'Failed to confirm that it is you')),
  });
  return (
    <FormDialog
      onClose={() => question.answer(isConfirmed.current)}
      title="Is it you?"
      description="This concerns the safety of your account, so that we ask again after a quarter of an hour."
      form={form}
      onSubmit={async (proof) => {
        await callApi('POST /api/auth/confirm', { body: proof });
        isConfirmed.current = true;
      }}
      canSubmit={factors.isSuccess && (hasFactor || hasPassword)}
      submitLabel="Continue"
      busyLabel="Checking..."
      failureText="Failed to confirm that it is you"
    >
      {factors.isPending && <Skeleton className="h-16" />}
      {factors.isError && <ErrorPanel title="Failed to load how you sign in" onRetry={() => void factors.refetch()} />}
      {factors.isSuccess && !hasFactor && !hasPassword && provider === null && (
        <p>
          You have no password yet. Log out, choose <b>Forgot password?</b> and set one; then go on.
        </p>
      )}
      {factors.isSuccess && !hasFactor && provider !== null && (
        <Button icon={<LogIn aria-hidden="true" className="size-4" />} onClick={openConfirmationWindow}>
          <span>
            Confirm with <bdi>{provider.label}</bdi>
          </span>
        </Button>
      )}
      {factors.isSuccess && !hasFactor && hasPassword && (
        <>
          {/* Tells a password manager whose password this is. */}
          <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
        </>
      )}
      {factors.isSuccess && hasFactor && (
        <TextField
          form={form}
          name="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          hint={
            hasApp ? 'The six digits of your authenticator app, or a recovery code.' : 'One of your recovery codes.'
          }
        />
      )}
      {hasPasskey && hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden="true" className="size-4" />}
          busy={show.isPending && 'Waiting for the passkey...'}
          onClick={() => show.mutate()}
        >
          Use a passkey
        </Button>
      )}
    </FormDialog>
  );
}
