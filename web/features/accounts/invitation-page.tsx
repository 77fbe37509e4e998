import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { Credentials } from '#contracts/accounts.ts';
import type { SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import type { InvitationSeen } from '#contracts/team.ts';
import { roleWords } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { startSession, useSession } from '#web/shared/session.ts';
import { signInOptionsQuery } from '#web/shared/sign-in-options.ts';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { AuthLayout, authLinkClass } from './auth-layout.tsx';
import { enter } from './enter.ts';
import { CodeStep } from './code-step.tsx';
import { JoinAsNew, type JoinAsProps } from './join-as-new.tsx';
import { elsewhereToo } from './other-cell.ts';
import { OidcButton } from './oidc-button.tsx';
import { OrLine } from './or-line.tsx';
import { signInFailure } from './sign-in-with.ts';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitations/$token' });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => elsewhereToo(callApi('GET /api/invitations/{token}', { params: { token } }, { signal })),
    retry: false,
  });
  const home = (
    <Link to={paths.dashboard} className={authLinkClass}>
      Go to Dovepost
    </Link>
  );
  if (invitation.isPending) {
    return (
      <AuthLayout title="Invitation" intro={home}>
        <Skeleton className="h-40" />
      </AuthLayout>
    );
  }
  if (invitation.isError) {
    return (
      <AuthLayout title="This invitation has ended" intro={home}>
        <Notice color="yellow" title={errorText(invitation.error, 'It could not be loaded.')}>
          It was used or withdrawn, or it is older than seven days. Ask who invited you for a new one.
        </Notice>
      </AuthLayout>
    );
  }
  const { account, inviter, role, projects, email, requires_two_factor: needsFactor } = invitation.data;
  return (
    <AuthLayout
      above={
        <p className="mb-5 flex items-center gap-2.5 text-muted">
          <Avatar id={inviter.name.length} name={inviter.name} />
          <span>
            <bdi className="font-medium text-ink">{inviter.name}</bdi> invites you
          </span>
        </p>
      }
      title={`Join ${account.name}`}
      intro={
        <>
          As <span className="font-medium text-ink">{role}</span>
          {projects !== null && (
            <>
              {' '}
              in <bdi className="font-medium text-ink">{projectsText(projects)}</bdi>
            </>
          )}
          . {roleWords[role]}
        </>
      }
    >
      <Field label="Email">
        {(control) => (
          <span className="relative block">
            <Lock aria-hidden="true" className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint" />
            <input {...control} readOnly value={email} className={clsx(controlClass, 'h-(--control) bg-sunken pl-9')} />
          </span>
        )}
      </Field>
      <Join token={token} invitation={invitation.data} />
      {needsFactor && (
        <p className="text-13 text-pretty text-muted">
          This account asks everybody for a second factor. A passkey is one already; with a password, an app comes next.
        </p>
      )}
    </AuthLayout>
  );
}

const mostNamed = 3;

function projectsText(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const named = rest > 0 ? [...names.slice(0, mostNamed), `${rest} more`] : names;
  return named.length === 0 ? 'projects that are gone' : new Intl.ListFormat('en').format(named);
}

type JoinProps = { token: string; invitation: InvitationSeen };

function Join({ token, invitation }: JoinProps) {
  const { identity, token: session } = useSession();
  const isInvited = session !== null && identity?.email.toLowerCase() === invitation.email.toLowerCase();
  const { email, role } = invitation;
  if (isInvited) return <JoinAsSelf token={token} role={role} />;
  return (
    <>
      <ProviderWay token={token} />
      {invitation.has_user ? (
        <SignInAndJoin token={token} email={email} role={role} />
      ) : (
        <JoinAsNew token={token} role={role} />
      )}
    </>
  );
}

/** Somebody new joins by it; who has a login comes back here to join. */
function ProviderWay({ token }: { token: string }) {
  if (!useQuery(signInOptionsQuery()).data?.oidc) return null;
  return (
    <>
      <OidcButton invitation={token} />
      <OrLine />
    </>
  );
}

/** With the session that is there, or has just been opened. The pages are loaded anew, under the account. */
async function accept(token: string, role: Role): Promise<void> {
  startSession(await callApi('POST /api/invitations/{token}/accept', { params: { token }, body: {} }));
  await enter(role);
}

function JoinAsSelf({ token, role }: JoinAsProps) {
  const join = useMutation({
    mutationFn: () => accept(token, role),
    onError: (error) => notify.error(errorText(error, 'Failed to join')),
  });
  return (
    <Button variant="primary" size="large" busy={join.isPending && 'Joining...'} onClick={() => join.mutate()}>
      Join
    </Button>
  );
}

function SignInAndJoin({ token, email, role }: JoinAsProps & { email: string }) {
  const [asked, setAsked] = useState<TwoFactorRequired>();
  const form = useZodForm(Credentials, { email, password: '' });
  const join = useMutation({
    mutationFn: async (body: Credentials) => {
      const answer = await callApi('POST /api/auth/login', { body });
      if ('two_factor_required' in answer) setAsked(answer);
      else await signInAndAccept(answer);
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) notify.error(signInFailure(error, 'Login failed'));
    },
  });
  async function signInAndAccept(signedIn: SignedIn): Promise<void> {
    startSession(signedIn);
    await accept(token, role);
  }
  if (asked) return <CodeStep asked={asked} onSignedIn={signInAndAccept} onBack={() => setAsked(undefined)} />;
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => join.mutate(values))(event)}
      className="grid gap-5"
    >
      <PasswordField
        form={form}
        name="password"
        label="Password"
        autoComplete="current-password"
        hint="You have a login with this address already."
      />
      <Button type="submit" variant="primary" size="large" busy={join.isPending && 'Joining...'}>
        Sign in and join
      </Button>
    </form>
  );
}
