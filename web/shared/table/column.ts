import type { ReactNode } from 'react';
import type { ColumnSort, Sorting } from './sorting.ts';
import type { Selection } from './use-selection.ts';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Its header sorts. */
  sort?: ColumnSort;
  /** Takes what is left of the width and truncates. */
  fluid?: boolean;
  /** In a virtual table, whose columns keep their width: as CSS has it. A fluid one needs none. */
  width?: string;
  /** Left out of a table below 1280 px (`widest`: 1400 px), where there is no room for it; cards have it. */
  wideOnly?: boolean | 'widest';
  /** The header is told to screen readers alone. */
  quietHeader?: boolean;
  /** The user may hide the column; `hidden` is hidden at first. Without a choice it always is. */
  choice?: 'shown' | 'hidden';
  /** On a phone: heads the card, stands at its head's right, or is left out. */
  onCard?: 'title' | 'badge' | 'hidden' | 'actions';
};

/** The part of a query result that a table shows. */
export type TableQuery<Row> = {
  data: { data: readonly Row[]; total?: number | undefined } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

export type Paging = {
  page: number;
  pageSize: number;
  /** `replace`: instead of the page that was asked for, which Back must not lead to. */
  onPage: (page: number, options?: { replace?: boolean }) => void;
};

/** The input of a table's rows, as a table or as cards. */
export type RowsProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  sorting?: Sorting;
  /** Rows have a box each; `rowLabel` says which row it is. */
  selection?: Selection<Row> | undefined;
  rowLabel?: (row: Row) => string;
  /** Opens beneath a row; undefined for rows that have nothing more. */
  detail?: (row: Row) => ReactNode | undefined;
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  skeletonRows: number;
  isStale: boolean;
};
