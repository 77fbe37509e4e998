import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { WebhookTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const webhookIndexes: readonly ConcurrentIndex<keyof WebhookTables>[] = [
  // The first attempts of a message's events, which go out in their order.
  {
    name: 'webhook_records_first_attempts',
    table: 'webhook_records',
    columns: `(account_id, message_id, id) where status = 'pending' and attempts = 0 and message_id is not null`,
  },
  // By endpoint: what waits for a dead one is never stepped over to reach another's.
  {
    name: 'webhook_records_due_by_queue',
    table: 'webhook_records',
    columns: `(account_id, (coalesce(endpoint_id, -project_id)), next_attempt_at) where status = 'pending'`,
    replaces: 'webhook_records_due',
  },
  {
    name: 'webhook_records_by_sequence',
    table: 'webhook_records',
    columns: '(account_id, project_id, sequence) where is_event',
  },
];
