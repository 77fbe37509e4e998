import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SetUpTotpDialog } from './set-up-totp-dialog.tsx';

/** The authenticator app and the recovery codes of the person. */
export function TwoFactorCard() {
  const factors = useQuery(twoFactorQuery());
  const [begun, setBegun] = useState<NewTotp>();
  const [codes, setCodes] = useState<readonly string[]>();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: twoFactorQuery().queryKey });
  return (
    <Card
      id="two-factor"
      title="Two-step sign-in"
      description="A code of your phone is asked for beside the password, so that the password alone opens nothing"
    >
      {factors.isPending && <Skeleton className="h-12" />}
      {factors.isError && (
        <ErrorPanel title="Failed to load the two-step sign-in" onRetry={() => void factors.refetch()} />
      )}
      {factors.data?.totp === null && <Off onBegun={setBegun} />}
      {factors.data?.totp && (
        <On
          totp={factors.data.totp}
          codesLeft={factors.data.recovery_codes_left}
          onRemoved={reload}
          onRenewed={async (renewed) => {
            setCodes(renewed);
            await reload();
          }}
        />
      )}
      {begun && (
        <SetUpTotpDialog
          totp={begun}
          onClose={() => setBegun(undefined)}
          onConfirmed={async (confirmed) => {
            setCodes(confirmed);
            await reload();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

function Off({ onBegun }: { onBegun: (totp: NewTotp) => void }) {
  const begin = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/totp'),
    onSuccess: onBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to set up the authenticator app')),
  });
  return (
    <Row term="Authenticator app" detail="Not set up">
      <Button size="small" busy={begin.isPending && 'Setting up...'} onClick={() => begin.mutate()}>
        Set up
      </Button>
    </Row>
  );
}

type OnProps = {
  totp: NonNullable<TwoFactor['totp']>;
  codesLeft: number;
  onRemoved: () => Promise<void>;
  onRenewed: (codes: readonly string[]) => Promise<void>;
};

function On({ totp, codesLeft, onRemoved, onRenewed }: OnProps) {
  const [asking, setAsking] = useState<'remove' | 'renew'>();
  const close = () => setAsking(undefined);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/user/two-factor/totp'),
    onSuccess: async () => {
      notify.success('Authenticator app removed');
      await onRemoved();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to remove the authenticator app')),
  });
  const renew = useMutation({
    mutationFn: () => callApi('POST /api/user/two-factor/recovery-codes'),
    onSuccess: ({ recovery_codes: renewed }) => onRenewed(renewed),
    onError: (error) => notify.error(errorText(error, 'Failed to make new recovery codes')),
  });
  return (
    <div className="divide-y [&>*]:py-3 [&>*:first-child]:pt-0 [&>*:last-child]:pb-0">
      <Row
        term="Authenticator app"
        detail={
          <>
            Since <DateTime at={totp.confirmed_at} />
          </>
        }
      >
        <Button size="small" onClick={() => setAsking('remove')}>
          Remove
        </Button>
      </Row>
      <Row term="Recovery codes" detail={`${codesLeft} of 10 left. New ones make the old ones void.`}>
        <Button size="small" onClick={() => setAsking('renew')}>
          Make new ones
        </Button>
      </Row>
      <ConfirmDialog
        isOpen={asking === 'remove'}
        onClose={close}
        title="Remove the authenticator app?"
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync()}
      >
        Your password alone signs in again. The recovery codes stop working.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === 'renew'}
        onClose={close}
        title="Make new recovery codes?"
        confirmLabel="Make new ones"
        busyLabel="Making..."
        onConfirm={async () => void (await renew.mutateAsync())}
      >
        The codes that you have kept stop working at once.
      </ConfirmDialog>
    </div>
  );
}

type RowProps = { term: string; detail: ReactNode; children: ReactNode };

function Row({ term, detail, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p>{term}</p>
        <p className="text-13 text-muted">{detail}</p>
      </div>
      {children}
    </div>
  );
}
