import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { AccountSession } from '#contracts/security-events.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { formatDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { SettingIcon } from '../setting-icon.tsx';
import { deviceName } from './device-name.ts';
import { sessionsQuery } from './queries.ts';

/** Where the account is signed in, each with a way to end it. */
export function SessionsCard() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery());
  const count = sessions.data?.length;
  const [isAsking, setAsking] = useState(false);
  const signOut = useMutation({
    mutationFn: () => callApi('POST /api/auth/sign-out-everywhere', { query: { except: 'current' } }),
    onSuccess: async () => {
      notify.success('Signed out everywhere else');
      await queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to sign out everywhere else')),
  });
  return (
    <Card
      id="sessions"
      title="Signed in"
      description={`${count === undefined ? '' : `${count === 1 ? '1 session' : `${count} sessions`}. `}A session that sleeps for 30 days ends by itself.`}
      actions={
        <Button
          size="small"
          disabled={count === 1}
          title={count === 1 ? 'You are signed in here alone' : undefined}
          onClick={() => setAsking(true)}
        >
          Sign out everywhere else
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
        title="Sign out everywhere else?"
        confirmLabel="Sign out everywhere else"
        busyLabel="Signing out..."
        onConfirm={() => signOut.mutateAsync()}
      >
        Every other browser is signed out, remembered ones too. Programs that use your API key go on.
      </ConfirmDialog>
    </Card>
  );
}

function SessionRow({ session }: { session: AccountSession }) {
  const { id, current, ip, user_agent: userAgent, created_at: createdAt, last_used_at: lastUsedAt } = session;
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
      <SettingIcon icon={/iPhone|iPad|Android/.test(name) ? Smartphone : Monitor} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-13 text-muted">
          {ip !== null && `${ip} · `}
          {current ? 'now' : <RelativeTime at={lastUsedAt} />} · since {formatDate(createdAt)}
        </p>
      </div>
      {current ? (
        <Tag>This browser</Tag>
      ) : (
        <Button size="small" busy={end.isPending && 'Signing out...'} onClick={() => end.mutate()}>
          Sign out<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  );
}
