import { Link } from '@tanstack/react-router';
import { Eye, Trash2 } from 'lucide-react';
import type { Profile } from '#contracts/profiles.ts';
import { paths } from '#web/shared/paths.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { RowAction, RowActions, rowActionClass, RowActionText } from '#web/shared/table/row-action.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { OptedOutBadge } from './opted-out-badge.tsx';
import { PhoneValidity } from './phone-validity.tsx';

export function profileColumns(onDelete: (profile: Profile) => void): readonly Column<Profile>[] {
  return [
    {
      id: 'id',
      header: 'ID',
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
      sort: { by: 'name', first: 'asc' },
      fluid: true,
      cell: ({ name }) => (name === null ? <span className="text-faint">No name</span> : <bdi>{name}</bdi>),
    },
    {
      id: 'status',
      header: 'Status',
      onCard: 'badge',
      cell: ({ status }) => <StatusBadge kind="profile" status={status} />,
    },
    {
      id: 'opted-out',
      header: 'Opt-out',
      cell: ({ opted_out }) => (opted_out ? <OptedOutBadge /> : <span className="text-faint">–</span>),
    },
    { id: 'valid', header: 'Valid', cell: ({ phone_is_valid }) => <PhoneValidity isValid={phone_is_valid} /> },
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
          <RowAction
            danger
            label="Delete"
            subject={profileTitle(profile)}
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={() => onDelete(profile)}
          />
        </RowActions>
      ),
    },
  ];
}

/** What a profile is called where there is room for one text. */
function profileTitle({ name, phone }: Profile): string {
  return name ?? `+${phone}`;
}
