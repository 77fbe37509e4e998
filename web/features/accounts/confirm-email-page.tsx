import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { paths } from '#web/shared/paths.ts';
import { getSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { elsewhereToo } from './other-cell.ts';

/** A press of a button, not the visit, uses the link up: mail programs visit links before people do. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ from: '/confirm-email' });
  const confirm = useMutation({
    mutationFn: () => elsewhereToo(callApi('POST /api/auth/confirm-email', { body: { token } })),
    onSuccess: async () => {
      if (getSession().token !== null) await refreshCurrentUser();
    },
  });
  return (
    <AuthLayout
      title="Confirm your email address"
      intro={
        <Link to={paths.dashboard} className={authLinkClass}>
          Go to Dovepost
        </Link>
      }
    >
      {confirm.isSuccess && (
        <Notice color="green" title="Your email address is confirmed" live>
          Thank you. Mails about your account go there from now on.
        </Notice>
      )}
      {confirm.isError && (
        <Notice color="red" title="The address was not confirmed" live>
          {errorText(confirm.error, 'Please try again.')}
        </Notice>
      )}
      {!confirm.isSuccess && (
        <Button
          variant="primary"
          size="large"
          disabled={token === ''}
          busy={confirm.isPending && 'Confirming...'}
          onClick={() => confirm.mutate()}
        >
          Confirm this address
        </Button>
      )}
    </AuthLayout>
  );
}
