import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmailChange } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';

export function ForgotPasswordPage() {
  const form = useZodForm(EmailChange, { email: '' });
  const request = useMutation({
    mutationFn: (body: EmailChange) => callApi('POST /api/auth/forgot-password', { body }),
    onError: (error) => reportFailure(form, error, 'The mail could not be sent. Please try again.'),
  });
  const submit = form.handleSubmit((values) => request.mutate(values));

  return (
    <AuthLayout
      title="Forgot password"
      intro={
        <>
          We mail you a link that sets a new one.{' '}
          <Link to={paths.login} className={authLinkClass}>
            Back to sign in
          </Link>
        </>
      }
    >
      {request.isSuccess && (
        <Notice color="green" title="Check your mail" live>
          {request.data.message}
        </Notice>
      )}
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" autoCapitalize="none" />
        <FormFailure form={form} />
        <Button type="submit" variant="primary" size="large" busy={request.isPending && 'Sending...'}>
          {request.isSuccess ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
    </AuthLayout>
  );
}
