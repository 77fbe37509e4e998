import { clsx } from 'clsx';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { eventColumn } from './event-column.tsx';
import type { useOpenRecords } from './record-toggle.tsx';
import { WebhookError } from './webhook-error.tsx';

/** `hasRoom` for all of them; what is left out stands in the opened record. */
export function webhookColumns(
  open: ReturnType<typeof useOpenRecords>,
  hasRoom: boolean,
): readonly Column<WebhookRecord>[] {
  const columns: readonly Column<WebhookRecord>[] = [
    eventColumn(open),
    {
      id: 'url',
      header: 'URL',
      fluid: !hasRoom,
      cell: ({ url }) => (
        <span className={clsx('block truncate text-13', hasRoom && 'max-w-52')} title={url}>
          {url.replace(/^https?:\/\//, '')}
        </span>
      ),
    },
    {
      id: 'payload',
      header: 'Payload',
      fluid: true,
      cell: ({ payload }) => (
        <code dir="ltr" className="text-12 text-muted">
          {JSON.stringify(payload)}
        </code>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      onCard: 'badge',
      cell: ({ status }) => <StatusBadge kind="webhook" status={status} />,
    },
    { id: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    {
      id: 'error',
      header: 'Error',
      cell: ({ error }) =>
        error === null ? <span className="text-faint">–</span> : <WebhookError key={error} text={error} />,
    },
    {
      id: 'date',
      header: 'Date',
      align: 'right',
      cell: ({ created_at }) => (
        <span className="text-muted">
          <DateTime at={created_at} />
        </span>
      ),
    },
  ];
  return hasRoom ? columns : columns.filter(({ id }) => id !== 'payload' && id !== 'attempts');
}
