import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { carriedMediaIndex, nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { BulkRunTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const bulkRunIndexes: readonly ConcurrentIndex<keyof BulkRunTables>[] = [
  // For whoever looks for a number among them. Partial only for the planner: rows without a number are not to be
  // searched here in a ledger that has no statistics yet.
  {
    name: 'bulk_run_rows_by_phone',
    table: 'bulk_run_rows',
    columns: '(account_id, bulk_run_id, phone, row_number) where phone is not null',
  },
  ...nameIndexes('bulk_runs'),
  carriedMediaIndex('bulk_runs'),
];
