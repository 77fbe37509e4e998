import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { SignedIn } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { askForPasskey, hasPasskeys, passkeyFailure } from '#web/shared/passkey.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type PasskeyButtonProps = {
  label: string;
  signIn: () => Promise<SignedIn>;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
};

/** Asks the browser for a passkey and signs in with it. */
export function PasskeyButton({ label, signIn, onSignedIn }: PasskeyButtonProps) {
  const ask = useMutation({
    mutationFn: async () => onSignedIn(await signIn()),
    onError: (error) => notify.error(passkeyFailure(error, 'Login failed')),
  });
  if (!hasPasskeys()) return null;
  return (
    <Button
      size="large"
      icon={<KeyRound aria-hidden="true" className="size-4" />}
      busy={ask.isPending && 'Waiting for the passkey...'}
      onClick={() => ask.mutate()}
    >
      {label}
    </Button>
  );
}

export async function signInWithPasskey(): Promise<SignedIn> {
  const response = await askForPasskey(await callApi('POST /api/auth/passkey/options'));
  return callApi('POST /api/auth/passkey', { body: { response } });
}

export async function takeStepWithPasskey(challenge: string, rememberDevice: boolean): Promise<SignedIn> {
  const options = await callApi('POST /api/auth/two-factor/passkey-options', { body: { challenge } });
  const passkey = await askForPasskey(options);
  return callApi('POST /api/auth/two-factor', { body: { challenge, passkey, remember_device: rememberDevice } });
}
