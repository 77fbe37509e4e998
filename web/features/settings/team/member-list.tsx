import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import type { Role } from '#contracts/roles.ts';
import type { Member } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { initials } from '#web/shared/initials.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ProjectsDialog } from './projects-dialog.tsx';
import { projectsWords } from './projects-words.ts';
import { teamQuery } from './queries.ts';
import { roleNames, roleOptions } from './role-words.ts';

type ListProps = { members: readonly Member[]; projects: readonly Project[] };

export function MemberList({ members, projects }: ListProps) {
  return (
    <ul className="divide-y">
      {members.map((member) => (
        <MemberRow key={member.id} member={member} projects={projects} />
      ))}
    </ul>
  );
}

function MemberRow({ member, projects }: { member: Member; projects: readonly Project[] }) {
  const { id, name, email, role, project_ids: projectIds, last_seen_at: lastSeenAt } = member;
  const can = useCan();
  const isSelf = useSession().user?.id === id;
  const [open, setOpen] = useState<'projects' | 'remove'>();
  const change = useChange(member);
  const mayChange = can('team:write') && (role !== 'owner' || can('owners:write'));
  const reason = role === 'owner' ? 'Only an owner changes owners' : 'Owners and admins change the team';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5 sm:grid-cols-[9rem_minmax(0,1fr)_7rem_6rem] min-[1400px]:grid-cols-[minmax(0,1fr)_9rem_9rem_7rem_6rem]">
      <div className="flex min-w-0 items-center gap-3 sm:col-span-full min-[1400px]:col-span-1">
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-gray-wash text-12 font-semibold text-muted"
        >
          {initials(name)}
        </span>
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <bdi className="wrap-anywhere">{name}</bdi>
            {isSelf && <Tag>You</Tag>}
          </p>
          <p className="text-13 wrap-anywhere text-muted">{email}</p>
        </div>
      </div>
      {mayChange ? (
        <SelectInput
          size="small"
          aria-label={`Role of ${name}`}
          value={role}
          disabled={change.isPending}
          options={roleOptions(can('owners:write'))}
          onChange={(event) => change.mutate({ role: event.target.value as Role })}
        />
      ) : (
        <p title={reason}>{roleNames[role]}</p>
      )}
      {mayChange && role !== 'owner' ? (
        <Button size="small" onClick={() => setOpen('projects')}>
          <span className="truncate">{projectsWords(projectIds, projects)}</span>
          <span className="sr-only">: projects of {name}</span>
        </Button>
      ) : (
        <p className="truncate text-13 text-muted">{projectsWords(projectIds, projects)}</p>
      )}
      <p className="text-13 text-muted">{lastSeenAt === null ? 'Not signed in' : <RelativeTime at={lastSeenAt} />}</p>
      <Button
        size="small"
        disabled={!mayChange && !isSelf}
        title={mayChange || isSelf ? undefined : reason}
        onClick={() => setOpen('remove')}
      >
        {isSelf ? 'Leave' : 'Remove'}
        <span className="sr-only"> {isSelf ? 'this account' : name}</span>
      </Button>
      {open === 'projects' && (
        <ProjectsDialog
          member={member}
          projects={projects}
          onSave={(project_ids) => change.mutateAsync({ project_ids })}
          onClose={() => setOpen(undefined)}
        />
      )}
      <RemoveDialog member={member} isSelf={isSelf} isOpen={open === 'remove'} onClose={() => setOpen(undefined)} />
    </li>
  );
}

function useChange({ id }: Member) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { role?: Role; project_ids?: number[] | null }) =>
      callApi('PATCH /api/team/members/{userId}', { params: { userId: id }, body }),
    onSuccess: async () => {
      notify.success('Saved');
      await refreshCurrentUser();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to change the member')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: teamQuery().queryKey }),
  });
}

type RemoveProps = { member: Member; isSelf: boolean; isOpen: boolean; onClose: () => void };

function RemoveDialog({ member: { id, name }, isSelf, isOpen, onClose }: RemoveProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      isSelf
        ? callApi('POST /api/team/leave')
        : callApi('DELETE /api/team/members/{userId}', { params: { userId: id } }),
    onSuccess: async () => {
      if (isSelf) return location.assign('/');
      notify.success(`${name} is no member any more`);
      await queryClient.invalidateQueries({ queryKey: teamQuery().queryKey });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to remove the member')),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isSelf ? 'Leave this account?' : `Remove “${name}”?`}
      confirmLabel={isSelf ? 'Leave' : 'Remove'}
      busyLabel={isSelf ? 'Leaving...' : 'Removing...'}
      onConfirm={() => remove.mutateAsync()}
    >
      {isSelf
        ? 'You are out at once. Somebody has to invite you again.'
        : 'They are out at once, their open pages included. If they made the API key of this account, it stops.'}
    </ConfirmDialog>
  );
}
