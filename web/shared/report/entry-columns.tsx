import type { ReactNode } from 'react';
import type { Recipient } from '#contracts/campaigns.ts';
import type { Column } from '../table/data-table.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { EntryBadge } from './entry-badge.tsx';

type Entry = Pick<Recipient, 'status' | 'message_status' | 'replied_at' | 'error' | 'changed_at'>;

/** On a card it would stand alone. */
const none = <span className="text-faint max-[720px]:hidden">–</span>;

export const statusColumn: Column<Entry> = {
  id: 'status',
  header: 'Status',
  onCard: 'badge',
  cell: (entry) => <EntryBadge entry={entry} />,
};

export const errorColumn: Column<Entry> = {
  id: 'error',
  header: 'Error',
  fluid: true,
  cell: ({ error }) => (error === null ? none : <span title={error}>{error}</span>),
};

export const timeColumn = <Row,>(id: string, header: string, timeOf: (row: Row) => string | null): Column<Row> => ({
  id,
  header,
  align: 'right',
  cell: (row): ReactNode => {
    const at = timeOf(row);
    if (at === null) return none;
    return (
      <span className="text-muted">
        <DateTime at={at} />
      </span>
    );
  },
});

export const changedColumn: Column<Entry> = timeColumn('changed', 'When', ({ changed_at: at }) => at);
