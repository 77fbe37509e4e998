import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { carriedMediaIndex, nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { BulkRunTables } from './tables.ts';

/** Those since the first release, of tables that are large by then. */
export const bulkRunIndexes: readonly ConcurrentIndex<keyof BulkRunTables>[] = [
  // For whoever looks for a number among them. It is partial for the planner's sake alone: what names no number is not to
  // be looked for here in a ledger that has no statistics yet.
  {
    name: 'bulk_run_rows_by_phone',
    table: 'bulk_run_rows',
    columns: '(account_id, bulk_run_id, phone, row_number) where phone is not null',
  },
  ...nameIndexes('bulk_runs'),
  carriedMediaIndex('bulk_runs'),
];
