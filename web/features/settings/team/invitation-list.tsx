import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import type { Invitation } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { useCan } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useNow } from '#web/shared/use-now.ts';
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
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere">{email}</p>
        <p className="text-13 text-muted">
          {roleNames[role]} · {projectsWords(projectIds, projects)} · {hasEnded ? 'ended' : 'ends'}{' '}
          <RelativeTime at={expiresAt} />
        </p>
      </div>
      <Button
        size="small"
        disabled={!mayChange}
        busy={resend.isPending && 'Sending...'}
        onClick={() => resend.mutate()}
      >
        Send again<span className="sr-only"> to {email}</span>
      </Button>
      <Button size="small" disabled={!mayChange} onClick={() => setAsking(true)}>
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
