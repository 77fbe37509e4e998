import { useMutation } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import type { z } from 'zod';
import { SecondStep } from '#contracts/two-factor.ts';
import { callApi } from '#web/shared/api.ts';
import { hasCode } from '#web/shared/api-error.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { authLinkClass } from './auth-layout.tsx';
import { PasskeyButton, takeStepWithPasskey } from './passkey-button.tsx';
import { signInFailure } from './sign-in-with.ts';

type CodeStepProps = {
  asked: TwoFactorRequired;
  /** Goes on after the sign-in; the form stays busy meanwhile. */
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
  /** Back to the password: the person wants it, or the challenge has ended. */
  onBack: () => void;
};

const Form = SecondStep.pick({ code: true, remember_device: true }).required({ code: true });

/** Of the page that shows the step. */
export function codeStepWords({ methods }: TwoFactorRequired): { title: string; intro: string } {
  if (methods.includes('totp'))
    return { title: 'Type your code', intro: 'The six digits your authenticator app shows now.' };
  return {
    title: 'Show your passkey',
    intro: 'Your fingerprint, your face or your security key comes after the password.',
  };
}

/** The second step of a sign-in: a code of the authenticator app, sent by itself once it is whole, or a recovery code. */
export function CodeStep({ asked, onSignedIn, onBack }: CodeStepProps) {
  const hasApp = asked.methods.includes('totp');
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const asksForCode = hasApp || usesRecoveryCode;
  const form = useZodForm(Form, { code: '', remember_device: false });
  const signIn = useMutation({
    mutationFn: async (values: z.infer<typeof Form>) =>
      onSignedIn(await callApi('POST /api/auth/two-factor', { body: { challenge: asked.challenge, ...values } })),
    onError: (error) => {
      if (hasCode(error, 'invalid_code')) {
        form.setError('code', { message: signInFailure(error, 'Login failed') }, { shouldFocus: true });
        return;
      }
      if (hasCode(error, 'invalid_challenge')) onBack();
      if (!showFieldErrors(form, error)) notify.error(signInFailure(error, 'Login failed'));
    },
  });
  const { setFocus } = form;
  useEffect(() => {
    if (hasApp) setFocus('code');
  }, [hasApp, setFocus]);
  const submit = form.handleSubmit((values) => signIn.mutate(values));
  const switchKind = () => {
    form.reset({ ...form.getValues(), code: '' });
    flushSync(() => setUsesRecoveryCode(!usesRecoveryCode));
    if (hasApp || !usesRecoveryCode) setFocus('code');
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      {asked.methods.includes('passkey') && !usesRecoveryCode && (
        <PasskeyButton
          label="Use a passkey"
          signIn={() => takeStepWithPasskey(asked.challenge, form.getValues('remember_device') === true)}
          onSignedIn={onSignedIn}
        />
      )}
      {usesRecoveryCode && (
        <TextField
          key="recovery"
          form={form}
          name="code"
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Each works once."
        />
      )}
      {hasApp && !usesRecoveryCode && (
        <TextField
          key="app"
          form={form}
          name="code"
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          hint="Sent by itself when the last digit is typed."
          onInput={({ currentTarget: { value } }) => {
            if (!/^\d{6}$/.test(value) || signIn.isPending) return;
            // The form itself hears of the digit only after this.
            form.setValue('code', value);
            void submit();
          }}
        />
      )}
      <Checkbox form={form} name="remember_device" label="Do not ask on this device for 30 days" />
      {asksForCode && (
        <Button type="submit" variant="primary" size="large" busy={signIn.isPending && 'Signing in...'}>
          Continue
        </Button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <button type="button" onClick={onBack} className={`${authLinkClass} inline-flex items-center gap-1`}>
          <ChevronLeft aria-hidden="true" className="size-4" />
          Back to sign in
        </button>
        {asked.methods.includes('recovery_code') && (
          <button type="button" onClick={switchKind} className={authLinkClass}>
            {usesRecoveryCode ? (hasApp ? 'Use the authenticator app' : 'Use the passkey') : 'Use a recovery code'}
          </button>
        )}
      </div>
    </form>
  );
}
