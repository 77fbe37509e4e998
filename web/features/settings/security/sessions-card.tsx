import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountSession } from '#contracts/security-events.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { clearSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { deviceName } from './device-name.ts';
import { sessionsQuery } from './queries.ts';

/** Where the account is signed in, each with a way to end it. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery());
  const [isAsking, setAsking] = useState(false);
  const signOut = useMutation({
    mutationFn: () => callApi('POST /api/auth/sign-out-everywhere'),
    onSuccess: () => {
      clearSession();
      notify.success('Logged out everywhere');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to log out everywhere')),
  });
  return (
    <Card
      id="sessions"
      title="Signed in"
      description="Browsers that can open your account"
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          Log out everywhere
        </Button>
      }
    >
      {sessions.isPending && <Skeleton className="h-12" />}
      {sessions.isError && <ErrorPanel title="Failed to load the sessions" onRetry={() => void sessions.refetch()} />}
      {sessions.data && (
        <ul className="divide-y">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Log out everywhere?"
        confirmLabel="Log out everywhere"
        busyLabel="Logging out..."
        onConfirm={() => signOut.mutateAsync()}
      >
        Every browser is logged out, this one too. Programs that use your API key go on.
      </ConfirmDialog>
    </Card>
  );
}

function SessionRow({ session }: { session: AccountSession }) {
  const { id, current, ip, user_agent: userAgent, last_used_at: lastUsedAt } = session;
  const queryClient = useQueryClient();
  const name = deviceName(userAgent);
  const end = useMutation({
    mutationFn: () => callApi('DELETE /api/user/sessions/{sessionId}', { params: { sessionId: id } }),
    onSuccess: async () => {
      notify.success('Signed out there');
      await queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to sign out there')),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="wrap-anywhere">{name}</p>
        <p className="text-13 text-muted">
          {ip !== null && `${ip} · `}
          {current ? 'now' : <RelativeTime at={lastUsedAt} />}
        </p>
      </div>
      {current ? (
        <Tag>This browser</Tag>
      ) : (
        <Button size="small" busy={end.isPending && 'Logging out...'} onClick={() => end.mutate()}>
          Log out<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  );
}
