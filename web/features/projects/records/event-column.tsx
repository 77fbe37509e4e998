import type { WebhookRecord } from '#contracts/webhooks.ts';
import type { Column } from '#web/shared/table/column.ts';
import { RecordToggle, type useOpenRecords } from './record-toggle.tsx';

/** The event of a delivery, which opens the rest of it beneath. */
export function eventColumn(open: ReturnType<typeof useOpenRecords>): Column<WebhookRecord> {
  return {
    id: 'event',
    header: 'Event',
    onCard: 'title',
    cell: (record) => (
      <RecordToggle isOpen={open.isOpen(record.id)} onToggle={() => open.toggle(record.id)}>
        {record.type}
      </RecordToggle>
    ),
  };
}
