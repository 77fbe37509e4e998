import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const templateSorts = ['name', 'updated'] as const;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<(typeof templateSorts)[number], SortOrder>> = {
  name: 'asc',
  updated: 'desc',
};

/** `dialog`, `edit`: the form of a new template is open, or of this one. */
export const templateSearch = listSearch(templateSorts, { dialog: ['new'], edit: 'id' });
export type TemplateSearch = ReturnType<typeof templateSearch>;
