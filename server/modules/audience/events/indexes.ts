import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { EventTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const eventIndexes: readonly ConcurrentIndex<keyof EventTables>[] = [
  // A person's counts of a name are read from it alone.
  {
    name: 'event_days_counts',
    table: 'event_days',
    columns: '(account_id, profile_id, name_id, day) include (n)',
    replaces: 'event_days_of_profile',
  },
];
