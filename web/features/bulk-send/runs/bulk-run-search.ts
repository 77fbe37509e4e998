import type { BulkRunStatus } from '#contracts/bulk-runs.ts';
import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

export const runStatuses = [
  'draft',
  'running',
  'paused',
  'completed',
  'stopped',
] as const satisfies readonly BulkRunStatus[];

const runSorts = ['created', 'name'] as const;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<(typeof runSorts)[number], SortOrder>> = { created: 'desc', name: 'asc' };

export const bulkRunSearch = listSearch(runSorts, { status: runStatuses });
export type BulkRunSearch = ReturnType<typeof bulkRunSearch>;
