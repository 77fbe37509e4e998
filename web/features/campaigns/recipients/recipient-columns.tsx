import { Link } from '@tanstack/react-router';
import type { Recipient } from '#contracts/campaigns.ts';
import { paths } from '#web/shared/paths.ts';
import { EntryBadge } from '#web/shared/report/entry-badge.tsx';
import type { Figure } from '#web/shared/report/entry-search.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';

const none = <span className="text-faint">–</span>;
/** On a card it would stand alone. */
const noError = <span className="text-faint max-[720px]:hidden">–</span>;

/** Of people who clicked or answered, when they did stands in place of why others got nothing. */
export const recipientColumns = ({ status, link }: Figure): readonly Column<Recipient>[] => [
  { id: 'name', header: 'Name', onCard: 'title', cell: (recipient) => <Name recipient={recipient} /> },
  { id: 'phone', header: 'Phone', wideOnly: true, cell: ({ phone }) => <PhoneText digits={phone} /> },
  { id: 'status', header: 'Status', onCard: 'badge', cell: (recipient) => <EntryBadge entry={recipient} /> },
  ...(status === 'clicked' || link !== undefined
    ? [timeColumn('clicked', 'First click', ({ clicked_at: at }) => at)]
    : status === 'replied'
      ? [timeColumn('replied', 'First reply', ({ replied_at: at }) => at)]
      : [
          {
            id: 'error',
            header: 'Error',
            fluid: true,
            cell: ({ error }: Recipient) => (error === null ? noError : <span title={error}>{error}</span>),
          },
        ]),
  timeColumn('changed', 'When', ({ changed_at: at }) => at),
];

const timeColumn = (
  id: string,
  header: string,
  timeOf: (recipient: Recipient) => string | null,
): Column<Recipient> => ({
  id,
  header,
  align: 'right',
  cell: (recipient) => {
    const at = timeOf(recipient);
    if (at === null) return none;
    return (
      <span className="text-muted">
        <DateTime at={at} />
      </span>
    );
  },
});

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
