import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import type { Profile } from '#contracts/profiles.ts';
import { paths } from '#web/shared/paths.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, RowActionText, RowActions, rowActionClass } from '#web/shared/table/row-action.tsx';
import { formatDate } from '#web/shared/time-format.ts';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Badge, StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { OptedOutBadge } from './opted-out-badge.tsx';
import { PhoneValidity } from './phone-validity.tsx';
import { TagChips } from './tag-chips.tsx';

export function profileColumns(onDelete: (profile: Profile) => void): readonly Column<Profile>[] {
  return [
    {
      id: 'id',
      header: 'ID',
      choice: 'shown',
      sort: { by: 'id', first: 'desc' },
      onCard: 'hidden',
      cell: ({ id }) => <span className="text-muted tabular-nums">{id}</span>,
    },
    {
      id: 'phone',
      header: 'Phone',
      sort: { by: 'phone', first: 'asc' },
      onCard: 'title',
      cell: ({ id, phone }) => (
        <Link
          to={paths.profile}
          params={{ profileId: String(id) }}
          className="rounded-small font-medium hover:text-accent-ink hover:underline"
        >
          <PhoneText digits={phone} />
        </Link>
      ),
    },
    {
      id: 'name',
      header: 'Name',
      choice: 'shown',
      sort: { by: 'name', first: 'asc' },
      fluid: true,
      cell: ({ name }) => (name === null ? <span className="text-faint">No name</span> : <bdi>{name}</bdi>),
    },
    {
      id: 'status',
      header: 'Status',
      choice: 'shown',
      onCard: 'badge',
      cell: ({ status }) => <StatusBadge kind="profile" status={status} />,
    },
    {
      id: 'tags',
      header: 'Tags',
      wideOnly: true,
      choice: 'shown',
      cell: ({ tags }) => <TagChips tags={tags} />,
    },
    {
      id: 'opted-out',
      header: 'Opt-out',
      wideOnly: true,
      choice: 'shown',
      cell: ({ opted_out }) => (opted_out ? <OptedOutBadge /> : <span className="text-faint">–</span>),
    },
    {
      id: 'email',
      header: 'Email',
      choice: 'hidden',
      cell: ({ email }) => email ?? <span className="text-faint">–</span>,
    },
    {
      id: 'country',
      header: 'Country',
      choice: 'hidden',
      cell: ({ country_code }) => country_code ?? <span className="text-faint">–</span>,
    },
    dateColumn('created_at', 'Created'),
    dateColumn('updated_at', 'Updated'),
    {
      id: 'valid',
      header: 'Valid',
      choice: 'shown',
      cell: ({ phone_is_valid, on_whatsapp }) => (
        <span className="inline-flex items-center gap-2">
          <PhoneValidity isValid={phone_is_valid} />
          {on_whatsapp === false && <Badge color="yellow">Not on WhatsApp</Badge>}
        </span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (profile) => (
        <RowActions>
          <Link to={paths.profile} params={{ profileId: String(profile.id) }} title="View" className={rowActionClass}>
            <Eye aria-hidden="true" className="size-4" />
            <RowActionText label="View" subject={profileTitle(profile)} />
          </Link>
          <DeleteAction needs="contacts:write" subject={profileTitle(profile)} onClick={() => onDelete(profile)} />
        </RowActions>
      ),
    },
  ];
}

/** When it was made, or changed last. */
function dateColumn(by: 'created_at' | 'updated_at', header: string): Column<Profile> {
  return {
    id: by,
    header,
    choice: 'hidden',
    sort: { by, first: 'desc' },
    cell: (profile) => (
      <time dateTime={profile[by]} className="whitespace-nowrap text-muted tabular-nums">
        {formatDate(profile[by])}
      </time>
    ),
  };
}

/** The title of a profile where there is room for only one text. */
export function profileTitle({ name, phone }: Profile): string {
  return name ?? `+${phone}`;
}
