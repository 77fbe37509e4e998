import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CloudSetup, PhoneNumber } from '#contracts/phone-numbers.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { WebhookSeen } from '../official/webhook-card.tsx';
import { signUpQuery } from './sign-up-query.ts';
import { useMetaDialog } from './use-meta-dialog.ts';
import { useSignUp } from './use-sign-up.ts';

/** Of a number that signed up by the operator's app: whether Meta calls, and the way to replace its access. */
export function SignedUpCard({ phone, setup }: { phone: PhoneNumber; setup: CloudSetup }) {
  const { data } = useQuery(signUpQuery);
  return (
    <Card
      title="Connected with Meta"
      description="It came by this server's app at Meta, so there is no webhook to enter."
    >
      <div className="grid gap-4">
        <div role="status" className="text-13">
          <WebhookSeen at={setup.webhook_seen_at} />
        </div>
        {data !== undefined && data.dialog_url !== null && (
          <Again phone={phone} dialogUrl={data.dialog_url} staysInApp={setup.facts?.is_shared === true} />
        )}
      </div>
    </Card>
  );
}

type AgainProps = { phone: PhoneNumber; dialogUrl: string; staysInApp: boolean };

function Again({ phone, dialogUrl, staysInApp }: AgainProps) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const signUp = useSignUp(phone.project_id, async ({ id }) => {
    await queryClient.invalidateQueries({ queryKey: queryKeys.phone(phone.id) });
    if (id === phone.id) notify.success('Access replaced');
    else notify.success('Meta shared another number, which was added');
  });
  const dialog = useMetaDialog(dialogUrl, (code) =>
    signUp.mutate(code, { onError: (error) => setFailure(errorText(error, 'Failed to replace the access')) }),
  );
  const trouble = failure ?? dialog.left;
  return (
    <div className="grid justify-items-start gap-3">
      {trouble !== undefined && (
        <div role="alert" className="w-full">
          <Notice color={failure === undefined ? 'yellow' : 'red'} title={trouble} />
        </div>
      )}
      <Button
        needs="phones:write"
        busy={signUp.isPending && 'Connecting...'}
        onClick={() => {
          setFailure(undefined);
          dialog.open({ staysInApp });
        }}
      >
        Continue with Meta again
      </Button>
      <p role="status" className="text-13 text-muted">
        {dialog.isOpen
          ? "Waiting for Meta's window"
          : 'Replaces the access, as where it ends or permissions were taken back.'}
      </p>
    </div>
  );
}
