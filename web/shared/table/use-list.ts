import type { ViewedList } from '#contracts/saved-views.ts';
import type { Column, Paging, TableQuery } from './column.ts';
import type { Sorting, SortOrder } from './sorting.ts';
import { useColumns, type ChosenColumns } from './use-columns.ts';
import { useSelection, type Selection } from './use-selection.ts';

type Changes<State> = { [Key in keyof State]?: State[Key] | undefined };

/** The part of an address that every list has (`ListState`). */
type Address = { page?: number; search?: string; sort?: string; order?: SortOrder; cols?: string };

type ListOptions<Row, State extends Address, Filter extends keyof State> = {
  /** Its saved views and its columns are kept under this name. */
  list: ViewedList;
  /** The state in the address, and what changes it. */
  address: readonly [state: State, change: (changes: Changes<State>, how?: { replace?: boolean }) => void];
  /** The keys of the address that narrow it, beside the search. */
  filters?: readonly Filter[];
  query: TableQuery<Row>;
  columns: readonly Column<Row>[];
  usualSort: NonNullable<State['sort']>;
  firstOrders: Readonly<Record<string, SortOrder>>;
  pageSize: number;
};

/** A list of a page of its own: what is shown of it, and what of it is chosen. */
export type List<Row, Filter = object> = ChosenColumns<Row> & {
  name: ViewedList;
  query: TableQuery<Row>;
  total: number | undefined;
  /** The search and the filters, as bulk actions take them. */
  filter: Filter;
  search: string;
  onSearch: (text: string) => void;
  isFiltered: boolean;
  /** Takes away the search and every filter. */
  clear: () => void;
  sorting: Sorting;
  /** Undefined where there is one page alone. */
  paging: Paging | undefined;
  selection: Selection<Row>;
};

/** Reads a list's state from the address; another search, filter or order starts at its first page. */
export function useList<Row extends { id: number }, State extends Address, Filter extends keyof State = never>({
  list,
  address: [state, onChange],
  filters = [],
  query,
  columns,
  usualSort,
  firstOrders,
  pageSize,
}: ListOptions<Row, State, Filter>): List<Row, Pick<State, Filter | 'search'>> {
  const change = (changes: Record<string, unknown>, how?: { replace?: boolean }) =>
    onChange(changes as Changes<State>, how);
  const rows = query.data?.data;
  const total = query.data?.total ?? rows?.length;
  const { page, search = '', sort = usualSort, order = firstOrders[sort] ?? 'asc' } = state;
  const keys: readonly (keyof State)[] = ['search', ...filters];
  const filter = Object.fromEntries(keys.map((key) => [key, state[key]])) as Pick<State, Filter | 'search'>;
  return {
    ...useColumns(list.replaceAll('_', '-'), columns, { cols: state.cols, onCols: (cols) => change({ cols }) }),
    name: list,
    query,
    total,
    filter,
    search,
    onSearch: (text) => change({ search: text || undefined, page: undefined }),
    isFiltered: filters.some((key) => state[key] !== undefined),
    clear: () => change(Object.fromEntries([...keys, 'page'].map((key) => [key, undefined]))),
    sorting: { by: sort, order, onSort: (by, next) => change({ sort: by, order: next, page: undefined }) },
    paging:
      page === undefined && (total ?? 0) <= pageSize
        ? undefined
        : { page: page ?? 1, pageSize, onPage: (next, how) => change({ page: next > 1 ? next : undefined }, how) },
    selection: useSelection({ rows, rowId: ({ id }) => id, total, resetKey: JSON.stringify(filter) }),
  };
}
