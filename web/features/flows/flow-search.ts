import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const flowSorts = ['created', 'name', 'last_run'] as const;
export type FlowSort = (typeof flowSorts)[number];

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<FlowSort, SortOrder>> = { created: 'desc', name: 'asc', last_run: 'desc' };

/** `edit`, `deliveries`: the flow whose dialog is open; `sent`: the page of its deliveries. */
export const flowSearch = listSearch(flowSorts, {
  active: ['true', 'false'],
  project_id: 'id',
  edit: 'id',
  deliveries: 'id',
  sent: 'id',
});
export type FlowSearch = ReturnType<typeof flowSearch>;
