import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Credentials } from '#contracts/accounts.ts';
import type { TwoFactorRequired } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { hasPasskeys } from '#web/shared/passkey.ts';
import { paths } from '#web/shared/paths.ts';
import { signInOptionsQuery } from '#web/shared/sign-in-options.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { emailFromElsewhere, leadElsewhere } from './other-cell.ts';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { CodeStep, codeStepWords } from './code-step.tsx';
import { OidcButton } from './oidc-button.tsx';
import { OrLine } from './or-line.tsx';
import { PasskeyButton, signInWithPasskey } from './passkey-button.tsx';
import { signInFailure, signInWith } from './sign-in-with.ts';

export function LoginPage() {
  const [asked, setAsked] = useState<TwoFactorRequired>();
  const form = useZodForm(Credentials, { email: emailFromElsewhere(), password: '' });
  const login = useMutation({
    mutationFn: async (body: Credentials) => {
      const answer = await callApi('POST /api/auth/login', { body });
      if ('two_factor_required' in answer) setAsked(answer);
      else await signInWith(answer);
    },
    onError: (error) => {
      if (leadElsewhere(error, form.getValues('email'))) return;
      if (!showFieldErrors(form, error)) notify.error(signInFailure(error, 'Login failed'));
    },
  });
  const submit = form.handleSubmit((values) => login.mutate(values));

  if (asked) {
    return (
      <AuthLayout
        above={<p className="mb-2 wrap-anywhere text-muted">{form.getValues('email')}</p>}
        {...codeStepWords(asked)}
      >
        <CodeStep asked={asked} onSignedIn={signInWith} onBack={() => setAsked(undefined)} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Sign in"
      intro={
        <>
          New here?{' '}
          <Link to={paths.signup} className={authLinkClass}>
            Create an account
          </Link>
        </>
      }
    >
      <OtherWays />
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" autoCapitalize="none" />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          aside={
            <Link to={paths.forgotPassword} className={authLinkClass}>
              Forgot password?
            </Link>
          }
        />
        <Button type="submit" variant="primary" size="large" busy={login.isPending && 'Signing in...'}>
          Sign in
        </Button>
      </form>
    </AuthLayout>
  );
}

/** Ways in beside the password. */
function OtherWays() {
  const options = useQuery(signInOptionsQuery());
  const hasProvider = (options.data?.oidc ?? null) !== null;
  if (!hasPasskeys() && !hasProvider) return null;
  return (
    <>
      <div className="grid gap-3">
        <OidcButton />
        <PasskeyButton label="Continue with a passkey" signIn={signInWithPasskey} onSignedIn={signInWith} />
      </div>
      <OrLine />
    </>
  );
}
