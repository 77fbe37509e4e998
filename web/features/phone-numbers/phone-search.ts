import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

export const phoneStatuses = [
  'connected',
  'disconnected',
  'created',
  'auth_failed',
  'banned',
] as const satisfies readonly PhoneStatus[];

const phoneSorts = ['created', 'name', 'status', 'priority', 'last_used'] as const;
export type PhoneSort = (typeof phoneSorts)[number];

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<PhoneSort, SortOrder>> = {
  created: 'desc',
  name: 'asc',
  status: 'asc',
  priority: 'desc',
  last_used: 'desc',
};

export const phoneSearch = listSearch(phoneSorts, {
  status: phoneStatuses,
  active: ['true', 'false'],
  view: ['cards', 'rows'],
});
export type PhoneSearch = ReturnType<typeof phoneSearch>;
