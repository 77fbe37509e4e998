import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import type { Role } from '#contracts/roles.ts';
import type { Member } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { useCan, useSession } from '#web/shared/session.ts';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ProjectsDialog } from './projects-dialog.tsx';
import { projectsWords } from './projects-words.ts';
import { teamQuery } from './queries.ts';
import { roleNames, roleOptions } from './role-words.ts';

type ListProps = { members: readonly Member[]; projects: readonly Project[] };

export function MemberList({ members, projects }: ListProps) {
  return (
    <>
      <div
        aria-hidden="true"
        className={`${columns} gap-x-4 border-b bg-sunken px-4 py-2 text-12 font-medium text-muted max-xl:hidden sm:px-5`}
      >
        {['Person', 'Role', 'Projects', 'Second factor', 'Last seen', ''].map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <ul className="divide-y">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} projects={projects} />
        ))}
      </ul>
    </>
  );
}

const columns = 'grid xl:grid-cols-[minmax(0,1fr)_8rem_minmax(0,8rem)_6.5rem_6rem_2rem]';

function MemberRow({ member, projects }: { member: Member; projects: readonly Project[] }) {
  const { id, name, email, role, project_ids: projectIds, two_factor: hasFactor, last_seen_at: lastSeenAt } = member;
  const can = useCan();
  const isSelf = useSession().user?.id === id;
  const [open, setOpen] = useState<'projects' | 'remove'>();
  const change = useChange(member);
  const mayChange = can('team:write') && (role !== 'owner' || can('owners:write'));
  const reason = role === 'owner' ? 'Only an owner changes owners' : 'Owners and admins change the team';
  return (
    <li className={`${columns} items-center gap-x-4 gap-y-2 px-4 py-2.5 max-xl:grid-cols-[minmax(0,1fr)_auto] sm:px-5`}>
      <div className="flex min-w-0 items-center gap-3">
        <Avatar id={id} name={name} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <bdi className="wrap-anywhere">{name}</bdi>
            {isSelf && <Tag>You</Tag>}
          </p>
          <p className="text-13 wrap-anywhere text-muted">{email}</p>
        </div>
      </div>
      <div className="contents max-xl:order-last max-xl:col-span-full max-xl:flex max-xl:flex-wrap max-xl:items-center max-xl:gap-x-4 max-xl:gap-y-1">
        {mayChange ? (
          <SelectInput
            size="small"
            aria-label={`Role of ${name}`}
            value={role}
            busy={change.isPending}
            options={roleOptions(can('owners:write'))}
            onChange={(event) => change.mutate({ role: event.target.value as Role })}
          />
        ) : (
          <p title={reason}>{roleNames[role]}</p>
        )}
        <p className="truncate text-13 text-muted">{projectsWords(projectIds, projects)}</p>
        {hasFactor ? (
          <p className="flex items-center gap-1.5 text-13 text-muted">
            <ShieldCheck aria-hidden="true" className="size-4" />
            <span>
              On<span className="xl:sr-only">: second factor</span>
            </span>
          </p>
        ) : (
          <p>
            <span className="max-xl:hidden">
              <Badge color="yellow">None</Badge>
              <span className="sr-only">: second factor</span>
            </span>
            <span className="xl:hidden">
              <Badge color="yellow">No second factor</Badge>
            </span>
          </p>
        )}
        <p className="text-13 text-muted">{lastSeenAt === null ? 'Not signed in' : <RelativeTime at={lastSeenAt} />}</p>
      </div>
      {mayChange || isSelf ? (
        <Menu
          trigger={
            <IconButton
              label={`Actions for ${name}`}
              size="small"
              icon={<Ellipsis aria-hidden="true" className="size-4" />}
            />
          }
          items={[
            ...(mayChange && role !== 'owner'
              ? [{ label: 'Choose projects', onSelect: () => setOpen('projects') }, 'separator' as const]
              : []),
            { label: isSelf ? 'Leave this account' : 'Remove', danger: true, onSelect: () => setOpen('remove') },
          ]}
        />
      ) : (
        <IconButton
          label={`Actions for ${name}`}
          size="small"
          disabled
          title={reason}
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      )}
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
