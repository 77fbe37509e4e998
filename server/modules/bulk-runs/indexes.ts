import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { carriedMediaIndex, nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { BulkRunTables } from './tables.ts';

/** Those since the first release, of tables that are large by then. */
export const bulkRunIndexes: readonly ConcurrentIndex<keyof BulkRunTables>[] = [
  ...nameIndexes('bulk_runs'),
  carriedMediaIndex('bulk_runs'),
];
