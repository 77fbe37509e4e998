import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { PhoneLinkTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const phoneLinkIndexes: readonly ConcurrentIndex<keyof PhoneLinkTables>[] = [
  // Phones of a worker, counted with each renewal without a look at the rows.
  { name: 'phone_leases_of_worker', table: 'phone_leases', columns: '(owner, token)' },
];
