import { Link } from '@tanstack/react-router';
import type { Recipient } from '#contracts/campaigns.ts';
import { paths } from '#web/shared/paths.ts';
import { changedColumn, errorColumn, statusColumn, timeColumn } from '#web/shared/report/entry-columns.tsx';
import type { Figure } from '#web/shared/report/entry-search.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';

/** Of people who clicked or answered, when they did stands in place of why others got nothing. */
export const recipientColumns = ({ status, link }: Figure): readonly Column<Recipient>[] => [
  { id: 'name', header: 'Name', onCard: 'title', cell: (recipient) => <Name recipient={recipient} /> },
  { id: 'phone', header: 'Phone', wideOnly: true, cell: ({ phone }) => <PhoneText digits={phone} /> },
  statusColumn,
  ...(status === 'clicked' || link !== undefined
    ? [timeColumn('clicked', 'First click', ({ clicked_at: at }: Recipient) => at)]
    : status === 'replied'
      ? [timeColumn('replied', 'First reply', ({ replied_at: at }: Recipient) => at)]
      : [errorColumn]),
  changedColumn,
];

/** With the number beneath where there is no column for it. A profile that is gone has neither name nor page. */
function Name({ recipient: { profile_id, is_profile_deleted, name, phone } }: { recipient: Recipient }) {
  if (is_profile_deleted) return <span className="text-muted">Deleted profile</span>;
  return (
    <div className="max-w-64 min-w-0 max-[720px]:max-w-none min-[720px]:max-xl:max-w-48">
      <Link
        to={paths.profile}
        params={{ profileId: String(profile_id) }}
        dir="auto"
        className="block truncate rounded-small text-left font-medium hover:text-accent-ink hover:underline"
      >
        {name ?? 'No name'}
      </Link>
      <span className="hidden text-12 text-muted min-[720px]:max-xl:block">
        <PhoneText digits={phone} />
      </span>
    </div>
  );
}
