import { useMutation } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
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
import { signInFailure } from './sign-in-with.ts';

type CodeStepProps = {
  asked: TwoFactorRequired;
  /** Goes on after the sign-in; the form stays busy meanwhile. */
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
  /** Back to the password: the person wants it, or the challenge has ended. */
  onBack: () => void;
};

const Form = SecondStep.omit({ challenge: true });

/** The second step of a sign-in: a code of the authenticator app, sent by itself once it is whole, or a recovery code. */
export function CodeStep({ asked, onSignedIn, onBack }: CodeStepProps) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const form = useZodForm(Form, { code: '', remember_device: false });
  const signIn = useMutation({
    mutationFn: async (values: Omit<SecondStep, 'challenge'>) =>
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
  useEffect(() => setFocus('code'), [setFocus]);
  const submit = form.handleSubmit((values) => signIn.mutate(values));
  const switchKind = () => {
    form.reset({ ...form.getValues(), code: '' });
    flushSync(() => setUsesRecoveryCode(!usesRecoveryCode));
    setFocus('code');
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      {usesRecoveryCode ? (
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
      ) : (
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
      <Button type="submit" variant="primary" size="large" busy={signIn.isPending && 'Signing in...'}>
        Continue
      </Button>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <button type="button" onClick={onBack} className={`${authLinkClass} inline-flex items-center gap-1`}>
          <ChevronLeft aria-hidden="true" className="size-4" />
          Back to sign in
        </button>
        {asked.methods.includes('recovery_code') && (
          <button type="button" onClick={switchKind} className={authLinkClass}>
            {usesRecoveryCode ? 'Use the authenticator app' : 'Use a recovery code'}
          </button>
        )}
      </div>
    </form>
  );
}
