import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const flowSorts = ['created', 'name', 'last_run'] as const;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<(typeof flowSorts)[number], SortOrder>> = {
  created: 'desc',
  name: 'asc',
  last_run: 'desc',
};

/**
 * `deliveries`: the flow whose dialog is open; `sent`: the page of its deliveries; `copy`: the flow that a new one begins
 * as; `edit`: of addresses from before editors had their own.
 */
export const flowSearch = listSearch(flowSorts, {
  active: ['true', 'false'],
  project_id: 'id',
  copy: 'id',
  edit: 'id',
  deliveries: 'id',
  sent: 'id',
});
export type FlowSearch = ReturnType<typeof flowSearch>;
