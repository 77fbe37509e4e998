import type { SegmentUser } from '#contracts/segments.ts';
import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

export const segmentUsers = ['flow', 'campaign', 'segment', 'nowhere'] as const satisfies readonly SegmentUser[];

const segmentSorts = ['created', 'name', 'updated', 'growth'] as const;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<(typeof segmentSorts)[number], SortOrder>> = {
  created: 'desc',
  name: 'asc',
  updated: 'desc',
  growth: 'desc',
};

/**
 * `groups`: the editor that is open has several conditions, whatever the segment has; `event` is the first of a new
 * one. `edit` stands in older links.
 */
export const segmentSearch = listSearch(segmentSorts, {
  used_by: segmentUsers,
  edit: 'id',
  groups: ['true'],
  event: 'text',
});
export type SegmentSearch = ReturnType<typeof segmentSearch>;
