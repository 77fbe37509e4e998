import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import type { Invitation } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { useCan } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { formatDate, formatExactTime } from '#web/shared/time-format.ts';
import { useNow } from '#web/shared/use-now.ts';
import { SettingIcon } from '../setting-icon.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { projectsWords } from './projects-words.ts';
import { teamQuery } from './queries.ts';
import { roleNames } from './role-words.ts';

type Props = { invitations: readonly Invitation[]; projects: readonly Project[] };

export function InvitationList({ invitations, projects }: Props) {
  return (
    <ul className="divide-y">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} projects={projects} />
      ))}
    </ul>
  );
}

function InvitationRow({ invitation, projects }: { invitation: Invitation; projects: readonly Project[] }) {
  const { id, email, role, project_ids: projectIds, expires_at: expiresAt } = invitation;
  const queryClient = useQueryClient();
  const now = useNow(60_000);
  const [url, setUrl] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const can = useCan();
  const mayChange = can('team:write') && (role !== 'owner' || can('owners:write'));
  const reason = mayChange
    ? undefined
    : role === 'owner'
      ? 'Only an owner invites owners'
      : 'Owners and admins change the team';
  const onSettled = () => queryClient.invalidateQueries({ queryKey: teamQuery().queryKey });
  const params = { invitationId: id };
  const resend = useMutation({
    mutationFn: () => callApi('POST /api/team/invitations/{invitationId}/resend', { params }),
    onSuccess: (sent) => setUrl(sent.url),
    onError: (error) => notify.error(errorText(error, 'Failed to send the invitation')),
    onSettled,
  });
  const withdraw = useMutation({
    mutationFn: () => callApi('DELETE /api/team/invitations/{invitationId}', { params }),
    onSuccess: () => notify.success('Invitation withdrawn'),
    onError: (error) => notify.error(errorText(error, 'Failed to withdraw the invitation')),
    onSettled,
  });
  const hasEnded = Date.parse(expiresAt) <= now;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <SettingIcon icon={Mail} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-13 text-muted">
          {roleNames[role]} · {projectsWords(projectIds, projects)}
        </p>
      </div>
      {hasEnded ? (
        <Badge color="gray">{`Ended ${formatDate(expiresAt)}`}</Badge>
      ) : (
        <span className="text-13 text-muted" title={formatExactTime(expiresAt)}>
          {endsIn(expiresAt, now)}
        </span>
      )}
      <Button
        size="small"
        disabled={!mayChange}
        title={reason}
        busy={resend.isPending && 'Sending...'}
        onClick={() => resend.mutate()}
      >
        {hasEnded ? 'Make a new link' : 'Send again'}
        <span className="sr-only">
          {' '}
          {hasEnded ? 'for' : 'to'} {email}
        </span>
      </Button>
      <Button size="small" disabled={!mayChange} title={reason} onClick={() => setAsking(true)}>
        Withdraw<span className="sr-only"> the invitation of {email}</span>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Withdraw the invitation of ${email}?`}
        confirmLabel="Withdraw"
        busyLabel="Withdrawing..."
        onConfirm={async () => {
          await withdraw.mutateAsync();
        }}
      >
        The link that was sent stops working at once.
      </ConfirmDialog>
      {url !== undefined && <LinkDialog url={url} email={email} onClose={() => setUrl(undefined)} />}
    </li>
  );
}

const dayMs = 86_400_000;

function endsIn(iso: string, now: number): string {
  const days = Math.round((Date.parse(iso) - now) / dayMs);
  if (days < 1) return 'Ends today';
  return days === 1 ? 'Ends in a day' : `Ends in ${days} days`;
}
