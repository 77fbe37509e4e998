import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Registration } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { signInOptionsQuery } from '#web/shared/sign-in-options.ts';
import { ownTimeZone } from '#web/shared/time-zones.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { PasswordRules } from '#web/shared/form/password-rules.tsx';
import { leadElsewhere } from './other-cell.ts';
import { OidcButton } from './oidc-button.tsx';
import { OrLine } from './or-line.tsx';
import { signInFailure, signInWith } from './sign-in-with.ts';

const Form = Registration.omit({ timezone: true });

export function SignupPage() {
  const form = useZodForm(Form, { name: '', email: '', password: '' });
  const signup = useMutation({
    mutationFn: async (values: Omit<Registration, 'timezone'>) => {
      return signInWith(await callApi('POST /api/auth/register', { body: { ...values, timezone: ownTimeZone() } }));
    },
    onError: (error) => {
      if (leadElsewhere(error, form.getValues('email'))) return;
      if (!showFieldErrors(form, error)) notify.error(signInFailure(error, 'Registration failed'));
    },
  });
  const provider = useQuery(signInOptionsQuery()).data?.oidc;
  const submit = form.handleSubmit((values) => signup.mutate(values));

  return (
    <AuthLayout
      title="Create an account"
      intro={
        <>
          Have one already?{' '}
          <Link to={paths.login} className={authLinkClass}>
            Sign in
          </Link>
        </>
      }
    >
      {provider && (
        <>
          <OidcButton />
          <OrLine />
        </>
      )}
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField form={form} name="name" label="Full name" autoComplete="name" />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" autoCapitalize="none" />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="new-password"
          hint={<PasswordRules password={form.watch('password')} />}
        />
        <Button type="submit" variant="primary" size="large" busy={signup.isPending && 'Creating your account...'}>
          Create account
        </Button>
      </form>
    </AuthLayout>
  );
}
