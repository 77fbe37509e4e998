import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { InvitationWithUrl, Member } from '#contracts/team.ts';
import type { Role } from '#contracts/roles.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { projectsQuery } from '#web/shared/queries.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { teamQuery } from './queries.ts';
import { roleOptions } from './role-words.ts';
import { RolesCard } from './roles-card.tsx';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export function TeamPage() {
  const team = useQuery(teamQuery());
  const projects = useQuery(projectsQuery());
  const can = useCan();
  const [isInviting, setInviting] = useState(false);
  const [sent, setSent] = useState<InvitationWithUrl>();
  const { members = [], invitations = [] } = team.data ?? {};
  const description =
    team.data === undefined
      ? 'Who works in this account, and what they may do'
      : `${count(members.length, 'person', 'people')} and ${count(invitations.length, 'open invitation', 'open invitations')}`;
  const mayChange = can('team:write');
  const [search, setSearch] = useState('');
  const [role, setRole] = useState<Role | ''>('');
  const matches = (each: { name?: string; email: string; role: Role }) =>
    (role === '' || each.role === role) && hasPart(`${each.name ?? ''} ${each.email}`, search);
  const [shownMembers, shownInvitations] = [members.filter(matches), invitations.filter(matches)];
  return (
    <>
      <PageHeader
        title="Team"
        description={description}
        actions={
          <Button
            variant="primary"
            icon={<UserPlus aria-hidden="true" className="size-4" />}
            disabled={!mayChange}
            title={mayChange ? undefined : 'Owners and admins invite people'}
            onClick={() => setInviting(true)}
          >
            Invite people
          </Button>
        }
      />
      <SettingsFrame>
        <FactorNotice members={members} />
        <Card
          title="People"
          flush
          actions={
            members.length + invitations.length > 1 && (
              <div className="flex flex-wrap items-center gap-2">
                <SearchInput label="Search people" value={search} onSearch={setSearch} />
                <SelectInput
                  size="small"
                  aria-label="Role"
                  placeholder="Any role"
                  value={role}
                  options={roleOptions(true)}
                  onChange={({ target }) => setRole(target.value as Role | '')}
                />
              </div>
            )
          }
        >
          {team.isPending && <Skeleton className="m-5 h-24" />}
          {team.isError && <ErrorPanel title="Failed to load the team" onRetry={() => void team.refetch()} />}
          {shownMembers.length > 0 && <MemberList members={shownMembers} projects={projects.data ?? []} />}
          {team.data && shownMembers.length === 0 && (
            <p className="px-5 py-8 text-center text-muted">Nobody matches.</p>
          )}
        </Card>
        {shownInvitations.length > 0 && (
          <Card title="Open invitations" flush>
            <InvitationList invitations={shownInvitations} projects={projects.data ?? []} />
          </Card>
        )}
        <RolesCard />
      </SettingsFrame>
      {isInviting && (
        <InviteDialog projects={projects.data ?? []} onSent={setSent} onClose={() => setInviting(false)} />
      )}
      {sent !== undefined && <LinkDialog url={sent.url} email={sent.email} onClose={() => setSent(undefined)} />}
    </>
  );
}

/** Where the account asks everybody for a second factor: whose is still to come. */
function FactorNotice({ members }: { members: readonly Member[] }) {
  const isRequired = useSession().membership?.account.requires_two_factor === true;
  const without = members.filter(({ two_factor: has }) => !has).map(({ name }) => name);
  if (!isRequired || without.length === 0) return null;
  return (
    <Notice color="yellow" title={`${count(without.length, 'person has', 'people have')} no second factor yet`}>
      {`${without.slice(0, 5).join(', ')}${without.length > 5 ? ' and others' : ''} can do nothing here until they have set one up.`}
    </Notice>
  );
}
