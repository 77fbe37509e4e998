import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { twoFactorQuery } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

export function SignInCard({ user }: { user: User }) {
  const [open, setOpen] = useState<'email' | 'password'>();
  const close = () => setOpen(undefined);
  const ways = useQuery(twoFactorQuery());
  const hasPassword = ways.data?.has_password ?? true;
  const provider = ways.data?.oidc;
  const mail = useMutation({
    mutationFn: () => callApi('POST /api/auth/forgot-password', { body: { email: user.email } }),
    onSuccess: () => notify.info(`Follow the link in the mail to ${user.email}.`),
    onError: (error) => notify.error(errorText(error, 'Failed to send the mail')),
  });
  return (
    <Card id="sign-in" title="Sign-in">
      <div className="divide-y">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="text-13 text-muted">Email</p>
            <p className="wrap-anywhere">{user.email}</p>
          </div>
          <Button size="small" onClick={() => setOpen('email')}>
            Change Email
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
          <div className="min-w-0 flex-1 basis-60">
            <p className="text-13 text-muted">Password</p>
            <p>{hasPassword ? 'Changing it signs every other device out.' : 'You have none.'}</p>
          </div>
          {hasPassword ? (
            <Button size="small" onClick={() => setOpen('password')}>
              Change Password
            </Button>
          ) : (
            <Button size="small" busy={mail.isPending && 'Mailing...'} onClick={() => mail.mutate()}>
              Mail me a link to set one
            </Button>
          )}
        </div>
        {provider && (
          <div className="pt-3">
            <p className="text-13 text-muted">Identity provider</p>
            <p>
              <bdi>{provider.label}</bdi> signs you in, since <DateTime at={provider.linked_at} />.
            </p>
          </div>
        )}
      </div>
      {open === 'email' && <ChangeEmailDialog hasPassword={hasPassword} onClose={close} />}
      {open === 'password' && <ChangePasswordDialog onClose={close} />}
    </Card>
  );
}
