import { useMutation } from '@tanstack/react-query';
import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { NewTotp } from '#contracts/two-factor.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { hasPasskeys, passkeyFailure } from '#web/shared/passkey.ts';
import { clearSession, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { addPasskey } from './passkeys-card.tsx';
import { RecoveryCodesDialog } from '#web/shared/recovery-codes-dialog.tsx';
import { SetUpTotpDialog } from './set-up-totp-dialog.tsx';

/** The account asks everybody for a second factor: nothing else is open until there is one. */
export function SecondFactorPage() {
  const { membership } = useSession();
  const [begun, setBegun] = useState<NewTotp>();
  const [codes, setCodes] = useState<readonly string[]>();
  const setUp = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/totp'),
    onSuccess: setBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to set up the authenticator app')),
  });
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: (recoveryCodes) => (recoveryCodes ? setCodes(recoveryCodes) : refreshCurrentUser()),
    onError: (error) => notify.error(passkeyFailure(error, 'Failed to add the passkey')),
  });
  const logOut = useMutation({ mutationFn: () => callApi('POST /api/auth/logout'), onSettled: () => clearSession() });
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-120 content-center gap-5 p-5">
      <div>
        <h1 className="text-28">One more step</h1>
        <p className="mt-1 text-pretty text-muted">
          <bdi>{membership?.account.name ?? 'This account'}</bdi> asks everybody for a second factor. Set one up to go
          on.
        </p>
      </div>
      <Card>
        <div className="grid gap-3">
          <Button
            size="large"
            variant="primary"
            icon={<Smartphone aria-hidden="true" className="size-4" />}
            busy={setUp.isPending && 'Setting up...'}
            onClick={() => setUp.mutate()}
          >
            Set up an authenticator app
          </Button>
          {hasPasskeys() && (
            <Button
              size="large"
              icon={<KeyRound aria-hidden="true" className="size-4" />}
              busy={add.isPending && 'Adding...'}
              onClick={() => add.mutate()}
            >
              Add a passkey
            </Button>
          )}
        </div>
      </Card>
      <Button busy={logOut.isPending && 'Logging out...'} onClick={() => logOut.mutate()}>
        Log out
      </Button>
      {begun && (
        <SetUpTotpDialog
          totp={begun}
          onClose={() => setBegun(undefined)}
          onConfirmed={async (confirmed) => {
            if (confirmed.length > 0) setCodes(confirmed);
            else await refreshCurrentUser();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => void refreshCurrentUser()} />}
    </main>
  );
}
