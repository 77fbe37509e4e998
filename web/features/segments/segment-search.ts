import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const segmentSorts = ['created', 'name', 'updated'] as const;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<(typeof segmentSorts)[number], SortOrder>> = {
  created: 'desc',
  name: 'asc',
  updated: 'desc',
};

/**
 * `groups`: the editor that is open has several conditions, whatever the segment has; `event` is the first of a new
 * one. `edit` stands in older links.
 */
export const segmentSearch = listSearch(segmentSorts, { edit: 'id', groups: ['true'], event: 'text' });
export type SegmentSearch = ReturnType<typeof segmentSearch>;
