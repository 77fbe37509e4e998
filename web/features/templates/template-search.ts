import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const templateSorts = ['name', 'updated'] as const;
export type TemplateSort = (typeof templateSorts)[number];

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<TemplateSort, SortOrder>> = { name: 'asc', updated: 'desc' };

/** `edit`: the template whose dialog is open. */
export const templateSearch = listSearch(templateSorts, { edit: 'id' });
export type TemplateSearch = ReturnType<typeof templateSearch>;
