import { useMutation, useQuery } from '@tanstack/react-query';
import { LifeBuoy, RectangleEllipsis, Smartphone } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { NewTotp, TwoFactor } from '#contracts/two-factor.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { twoFactorQuery } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ChangePasswordDialog } from '../change-password-dialog.tsx';
import { SettingIcon } from '../setting-icon.tsx';
import { useFactorsReload } from './passkeys-card.tsx';
import { RecoveryCodesDialog } from '#web/shared/recovery-codes-dialog.tsx';
import { SetUpTotpDialog } from './set-up-totp-dialog.tsx';

/** The authenticator app and the recovery codes of the person. */
export function TwoFactorCard() {
  const factors = useQuery(twoFactorQuery());
  const [begun, setBegun] = useState<NewTotp>();
  const [codes, setCodes] = useState<readonly string[]>();
  const reload = useFactorsReload();
  return (
    <Card
      id="two-factor"
      title="Ways to sign in"
      description="With an authenticator app, signing in asks for a code from your phone as well as the password"
    >
      {factors.isPending && <Skeleton className="h-12" />}
      {factors.isError && (
        <ErrorPanel title="Failed to load the ways to sign in" onRetry={() => void factors.refetch()} />
      )}
      {factors.data && (
        <div className="divide-y [&>*]:py-3 [&>*:first-child]:pt-0 [&>*:last-child]:pb-0">
          <Password has={factors.data.has_password} />
          {factors.data.totp ? (
            <App totp={factors.data.totp} onBegun={setBegun} onRemoved={reload} />
          ) : (
            <Off onBegun={setBegun} />
          )}
          {(factors.data.totp !== null || factors.data.passkeys > 0) && (
            <Codes
              left={factors.data.recovery_codes_left}
              onRenewed={async (renewed) => {
                setCodes(renewed);
                await reload();
              }}
            />
          )}
        </div>
      )}
      {begun && (
        <SetUpTotpDialog
          totp={begun}
          onClose={() => setBegun(undefined)}
          onConfirmed={async (confirmed) => {
            if (confirmed.length > 0) setCodes(confirmed);
            await reload();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

function Password({ has }: { has: boolean }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Row
      icon={RectangleEllipsis}
      term="Password"
      detail={has ? 'A new one signs every other device out.' : 'You have none. General has a link to set one.'}
    >
      {has && (
        <Button size="small" onClick={() => setChanging(true)}>
          Change<span className="sr-only"> the password</span>
        </Button>
      )}
      {isChanging && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </Row>
  );
}

function Off({ onBegun }: { onBegun: (totp: NewTotp) => void }) {
  const begin = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/totp'),
    onSuccess: onBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to set up the authenticator app')),
  });
  return (
    <Row icon={Smartphone} term="Authenticator app" detail="Not set up">
      <Button size="small" busy={begin.isPending && 'Setting up...'} onClick={() => begin.mutate()}>
        Set up
      </Button>
    </Row>
  );
}

type AppProps = {
  totp: NonNullable<TwoFactor['totp']>;
  onBegun: (totp: NewTotp) => void;
  onRemoved: () => Promise<void>;
};

function App({ totp, onBegun, onRemoved }: AppProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/user/two-factor/totp'),
    onSuccess: async () => {
      notify.success('Authenticator app removed');
      await onRemoved();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to remove the authenticator app')),
  });
  const replace = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/totp', { query: { replace: 'true' } }),
    onSuccess: onBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to replace the authenticator app')),
  });
  return (
    <Row
      icon={Smartphone}
      term="Authenticator app"
      detail={
        <>
          Since <DateTime at={totp.confirmed_at} />
        </>
      }
    >
      <Badge color="green">On</Badge>
      <Button size="small" busy={replace.isPending && 'Replacing...'} onClick={() => replace.mutate()}>
        Replace<span className="sr-only"> the authenticator app</span>
      </Button>
      <Button size="small" onClick={() => setAsking(true)}>
        Remove<span className="sr-only"> the authenticator app</span>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the authenticator app?"
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync()}
      >
        Every other browser is signed out. Without a passkey your password alone signs in again, and the recovery codes
        stop working.
      </ConfirmDialog>
    </Row>
  );
}

type CodesProps = { left: number; onRenewed: (codes: readonly string[]) => Promise<void> };

function Codes({ left, onRenewed }: CodesProps) {
  const [isAsking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/recovery-codes'),
    onSuccess: ({ recovery_codes: renewed }) => onRenewed(renewed),
    onError: (error) => notify.error(errorText(error, 'Failed to make new recovery codes')),
  });
  return (
    <Row icon={LifeBuoy} term="Recovery codes" detail={`${left} of 10 left. New ones make the old ones void.`}>
      <Button size="small" onClick={() => setAsking(true)}>
        Make new ones
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Make new recovery codes?"
        confirmLabel="Make new ones"
        busyLabel="Making..."
        onConfirm={async () => void (await renew.mutateAsync())}
      >
        The codes that you have kept stop working at once.
      </ConfirmDialog>
    </Row>
  );
}

type RowProps = { icon: LucideIcon; term: string; detail: ReactNode; children: ReactNode };

function Row({ icon, term, detail, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <SettingIcon icon={icon} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">{term}</p>
        <p className="text-13 text-muted">{detail}</p>
      </div>
      {children}
    </div>
  );
}
