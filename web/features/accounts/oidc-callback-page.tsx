import { useMutation } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { announceConfirmation, goToProvider, oidcErrand } from '#web/shared/oidc.ts';
import { paths } from '#web/shared/paths.ts';
import { returnPath } from '#web/shared/return-path.ts';
import { ownTimeZone } from '#web/shared/time-zones.ts';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { CodeStep, codeStepWords } from './code-step.tsx';
import { leadElsewhere } from './other-cell.ts';
import { signInFailure, signInWith } from './sign-in-with.ts';

/** Where the identity provider sends the browser back to; the window of a confirmation begins here, too. */
export function OidcCallbackPage() {
  const { begin, code, state, iss, error } = useSearch({ from: '/login/callback' });
  const errand = oidcErrand();
  if (begin === 'confirm') return <LeaveToConfirm />;
  if (code === undefined || state === undefined) return <NotFinished isDeclined={error === 'access_denied'} />;
  const answer = { code, state, ...(iss !== undefined && { iss }) };
  return errand.purpose === 'confirm' ? <Confirm answer={answer} /> : <SignIn answer={answer} />;
}

type Answer = { code: string; state: string; iss?: string };

/** An answer is good once: a page that is drawn twice asks once. */
function useOnce(work: () => void): void {
  const isDone = useRef(false);
  const latest = useRef(work);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    latest.current();
  }, []);
}

function SignIn({ answer }: { answer: Answer }) {
  const router = useRouter();
  const [asked, setAsked] = useState<TwoFactorRequired>();
  const { invitation } = oidcErrand();
  async function enter(signedIn: SignedIn): Promise<void> {
    await signInWith(signedIn);
    const href = invitation === undefined ? returnPath() : paths.invitation.replace('$token', invitation);
    await router.navigate({ href, replace: true });
  }
  const signIn = useMutation({
    mutationFn: async () => {
      const body = { ...answer, timezone: ownTimeZone(), ...(invitation !== undefined && { invitation }) };
      const signedIn = await callApi('POST /api/auth/login/oidc/callback', { body });
      if ('two_factor_required' in signedIn) setAsked(signedIn);
      else await enter(signedIn);
    },
    onError: (error) => leadElsewhere(error),
  });
  useOnce(() => signIn.mutate());
  if (asked) {
    return (
      <AuthLayout {...codeStepWords(asked)}>
        <CodeStep
          asked={asked}
          onSignedIn={enter}
          onBack={() => void router.navigate({ to: paths.login, replace: true })}
        />
      </AuthLayout>
    );
  }
  if (signIn.isError) return <NotFinished reason={signInFailure(signIn.error, 'Login failed')} />;
  return <Waiting title="Signing in..." />;
}

function Confirm({ answer }: { answer: Answer }) {
  const confirm = useMutation({
    mutationFn: () => callApi('POST /api/auth/confirm/oidc/callback', { body: answer }),
    onSuccess: () => {
      announceConfirmation();
      window.close();
    },
  });
  useOnce(() => confirm.mutate());
  if (confirm.isError) {
    return <NotFinished isConfirmation reason={signInFailure(confirm.error, 'Failed to confirm that it is you')} />;
  }
  if (!confirm.isSuccess) return <Waiting title="Confirming..." />;
  return (
    <AuthLayout title="It is you" intro="You can close this window and go on in the other one.">
      {null}
    </AuthLayout>
  );
}

function LeaveToConfirm() {
  const begin = useMutation({
    mutationFn: () => callApi('POST /api/auth/confirm/oidc'),
    onSuccess: ({ url }) => goToProvider(url, { purpose: 'confirm' }),
  });
  useOnce(() => begin.mutate());
  if (begin.isError) {
    return <NotFinished isConfirmation reason={signInFailure(begin.error, 'Failed to confirm that it is you')} />;
  }
  return <Waiting title="Confirming..." />;
}

function Waiting({ title }: { title: string }) {
  return (
    <AuthLayout title={title} intro="One moment, please.">
      <Skeleton className="h-10" />
    </AuthLayout>
  );
}

type NotFinishedProps = { reason?: string; isDeclined?: boolean; isConfirmation?: boolean };

function NotFinished({ reason, isDeclined = false, isConfirmation = false }: NotFinishedProps) {
  const words = isDeclined ? 'It was declined there, or you went back.' : 'There was no answer that can be used.';
  return (
    <AuthLayout
      title={isConfirmation ? 'Not confirmed' : 'You are not signed in'}
      intro={
        isConfirmation ? (
          'Close this window and try again in the other one.'
        ) : (
          <Link to={paths.login} className={authLinkClass}>
            Back to sign in
          </Link>
        )
      }
    >
      <Notice color="yellow" title="The sign-in was not finished" live>
        {reason ?? words}
      </Notice>
    </AuthLayout>
  );
}
