import { Link } from '@tanstack/react-router';
import { BadgeCheck, FlaskConical } from 'lucide-react';
import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { usageColor } from '#web/shared/daily-usage.ts';
import { paths } from '#web/shared/paths.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { HealthBadge, shownHealth } from '#web/shared/ui/health-badge.tsx';
import { FlaggedPhone } from '#web/shared/number-field/flagged-phone.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { UsageCount } from '#web/shared/ui/usage.tsx';
import { PhoneMenu } from './phone-menu.tsx';
import { firstOrders, type PhoneSort } from './phone-search.ts';

const sortBy = (by: PhoneSort) => ({ by, first: firstOrders[by] });
const nothing = <span className="text-faint">–</span>;

export const phoneColumns: readonly Column<PhoneNumber>[] = [
  {
    id: 'phone',
    header: 'Phone',
    sort: sortBy('name'),
    onCard: 'title',
    cell: ({ id, name, phone_number }) => (
      <div className="min-w-0 min-[720px]:max-w-56">
        <Link
          to={paths.phone}
          params={{ phoneId: String(id) }}
          dir="auto"
          title={name ?? undefined}
          className="block truncate rounded-small text-left font-medium hover:text-accent-ink hover:underline"
        >
          {name || <FlaggedPhone digits={phone_number} />}
        </Link>
        {name !== null && name !== '' && (
          <span className="block text-12 font-regular whitespace-nowrap text-muted">
            <FlaggedPhone digits={phone_number} />
          </span>
        )}
      </div>
    ),
  },
  {
    id: 'state',
    header: 'State',
    sort: sortBy('status'),
    cell: (phone) => (
      <span className="inline-flex flex-wrap items-center gap-1">
        <StatusBadge kind="connection" status={phone.status} />
        <ShownHealth phone={phone} />
        {!phone.is_active && <Tag>Inactive</Tag>}
        {phone.is_resting && <Tag>Resting</Tag>}
        {isSimulated(phone.connector) && <Tag icon={<FlaskConical aria-hidden="true" />}>Sandbox</Tag>}
        {connectorTraits[phone.connector].link === 'credentials' && (
          <Tag icon={<BadgeCheck aria-hidden="true" />}>Official</Tag>
        )}
      </span>
    ),
  },
  {
    id: 'today',
    header: 'Today',
    choice: 'shown',
    align: 'right',
    cell: ({ daily_message_count: count, max_daily_messages: maximum }) => (
      <span data-usage={usageColor(count, maximum)} className="whitespace-nowrap">
        <UsageCount count={count} maximum={maximum} />
      </span>
    ),
  },
  {
    id: 'first',
    header: 'First contacts',
    choice: 'shown',
    align: 'right',
    wideOnly: true,
    cell: ({ health }) => <Allowance health={health} kind="first_contacts" />,
  },
  {
    id: 'known',
    header: 'Known contacts',
    choice: 'shown',
    align: 'right',
    wideOnly: true,
    cell: ({ health }) => <Allowance health={health} kind="known" />,
  },
  {
    id: 'priority',
    header: 'Priority',
    choice: 'shown',
    align: 'right',
    sort: sortBy('priority'),
    cell: ({ priority }) => priority.toLocaleString('en'),
  },
  {
    id: 'total',
    header: 'Total Messages',
    choice: 'hidden',
    align: 'right',
    cell: ({ message_count: count }) => count.toLocaleString('en'),
  },
  {
    id: 'last_used',
    header: 'Last Used',
    choice: 'shown',
    sort: sortBy('last_used'),
    cell: ({ last_used_at: at }) => (
      <span className="whitespace-nowrap text-muted">{at === null ? 'Never' : <RelativeTime at={at} />}</span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    align: 'right',
    onCard: 'actions',
    cell: (phone) => <PhoneMenu phone={phone} />,
  },
];

function ShownHealth({ phone }: { phone: PhoneNumber }) {
  const health = shownHealth(phone);
  return health !== null && <HealthBadge health={health} />;
}

type AllowanceProps = { health: PhoneNumber['health']; kind: 'first_contacts' | 'known' };

function Allowance({ health, kind }: AllowanceProps) {
  if (health === null || !health.is_protected) return nothing;
  const { used, allowed } = health.allowances[kind];
  return (
    <span className="whitespace-nowrap">
      {used.toLocaleString('en')} <span className="text-muted">/ {allowed.toLocaleString('en')}</span>
    </span>
  );
}
