import { useMutation } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** On every page until the link in the mail to a new account's address is followed. */
export function UnconfirmedEmailBanner() {
  const { user } = useSession();
  const resend = useMutation({
    mutationFn: () => callApi('POST /api/auth/resend-confirmation'),
    onSuccess: ({ message }) => notify.success(message),
    onError: (error) => notify.error(errorText(error, 'The mail could not be sent. Please try again.')),
  });
  if (user === null || user.email_confirmed) return null;
  return (
    <section aria-label="Email address" className="mx-auto w-full max-w-316 px-4 pt-4 sm:px-8">
      <Notice
        color="yellow"
        title="Confirm your email address"
        action={
          <Button size="small" busy={resend.isPending && 'Sending...'} onClick={() => resend.mutate()}>
            Send the link again
          </Button>
        }
      >
        Follow the link in the mail to <span className="wrap-anywhere">{user.email}</span>. Until then no other mail
        goes there.
      </Notice>
    </section>
  );
}
