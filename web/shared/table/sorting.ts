export type SortOrder = 'asc' | 'desc';

/** The sort key of a column, and the order that it takes at first. */
export type ColumnSort = { by: string; first: SortOrder };

/** How a table is sorted, and how to sort it otherwise. */
export type Sorting = { by: string; order: SortOrder; onSort: (by: string, order: SortOrder) => void };

export function ariaSort(sort: ColumnSort | undefined, sorting: Sorting | undefined) {
  if (sort === undefined || sorting === undefined) return undefined;
  if (sort.by !== sorting.by) return 'none';
  return sorting.order === 'asc' ? 'ascending' : 'descending';
}

export function oppositeOrder(order: SortOrder): SortOrder {
  return order === 'asc' ? 'desc' : 'asc';
}
