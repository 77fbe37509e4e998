import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { PasswordReset } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError } from '#web/shared/api-error.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { PasswordRules } from '#web/shared/form/password-rules.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { elsewhereToo } from './other-cell.ts';

const Form = PasswordReset.omit({ token: true });

export function ResetPasswordPage() {
  const { token = '' } = useSearch({ from: '/reset-password' });
  const navigate = useNavigate();
  const form = useZodForm(Form, { password: '' });
  const reset = useMutation({
    mutationFn: ({ password }: Omit<PasswordReset, 'token'>) =>
      elsewhereToo(callApi('POST /api/auth/reset-password', { body: { token, password } })),
    onSuccess: () => {
      notify.success('Password updated successfully');
      void navigate({ to: paths.login });
    },
    onError: (error) => {
      if (!isLinkSpent(error)) reportFailure(form, error, 'Failed to update password');
    },
  });
  const submit = form.handleSubmit((values) => reset.mutate(values));
  const isUnusable = token === '' || isLinkSpent(reset.error);

  return (
    <AuthLayout
      title="Reset password"
      intro={
        <Link to={paths.login} className={authLinkClass}>
          Back to sign in
        </Link>
      }
    >
      {isUnusable ? (
        <Notice color="red" title="This link does not work any more" live>
          A link works once, for an hour.{' '}
          <Link to={paths.forgotPassword} className={authLinkClass}>
            Ask for a new one
          </Link>
        </Notice>
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
          <PasswordField
            form={form}
            name="password"
            label="New password"
            autoComplete="new-password"
            hint={<PasswordRules password={form.watch('password')} />}
          />
          <FormFailure form={form} />
          <Button type="submit" variant="primary" size="large" busy={reset.isPending && 'Saving...'}>
            Set new password
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}

function isLinkSpent(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_reset_token';
}
