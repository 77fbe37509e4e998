import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { OfficialTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const officialIndexes: readonly ConcurrentIndex<keyof OfficialTables>[] = [
  // By phone: what waits for one is never stepped over to reach another's.
  {
    name: 'cloud_webhooks_by_phone',
    table: 'cloud_webhooks',
    columns: '(phone_id, due_at, id)',
    replaces: 'cloud_webhooks_due',
  },
];
