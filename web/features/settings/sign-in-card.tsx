import { useState } from 'react';
import type { User } from '#contracts/accounts.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

export function SignInCard({ user }: { user: User }) {
  const [open, setOpen] = useState<'email' | 'password'>();
  const close = () => setOpen(undefined);
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
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="text-13 text-muted">Password</p>
            <p>Changing it signs every other device out.</p>
          </div>
          <Button size="small" onClick={() => setOpen('password')}>
            Change Password
          </Button>
        </div>
      </div>
      {open === 'email' && <ChangeEmailDialog onClose={close} />}
      {open === 'password' && <ChangePasswordDialog onClose={close} />}
    </Card>
  );
}
