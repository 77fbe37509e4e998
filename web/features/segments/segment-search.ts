import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const segmentSorts = ['created', 'name', 'updated'] as const;
export type SegmentSort = (typeof segmentSorts)[number];

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<SegmentSort, SortOrder>> = { created: 'desc', name: 'asc', updated: 'desc' };

/** `edit`: the segment whose dialog is open. */
export const segmentSearch = listSearch(segmentSorts, { edit: 'id' });
export type SegmentSearch = ReturnType<typeof segmentSearch>;
