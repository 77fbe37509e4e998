import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText } from '../api-error.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { useMediaQuery } from '../use-media-query.ts';
import { CardRows } from './card-rows.tsx';
import { Pager } from './pager.tsx';
import type { ColumnSort, Sorting } from './sorting.ts';
import { TableRows } from './table-rows.tsx';

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
  /** The header is told to screen readers alone. */
  quietHeader?: boolean;
  /** On a phone: heads the card, stands at its head's right, or is left out. */
  onCard?: 'title' | 'badge' | 'hidden' | 'actions';
};

/** The part of a query result that a table shows. */
export type TableQuery<Row> = {
  data: { data: readonly Row[]; total?: number } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

export type Paging = { page: number; pageSize: number; onPage: (page: number) => void };

type DataTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  query: TableQuery<Row>;
  paging?: Paging;
  sorting?: Sorting;
  /** 'No messages found.' or a whole EmptyState. */
  empty: ReactNode;
  /** 'Failed to load messages' */
  failureText: string;
  /** Told to screen readers while the first rows load. */
  loadingText?: string;
  skeletonRows?: number;
  /** Opens beneath a row; undefined for rows that have nothing more. */
  detail?: (row: Row) => ReactNode | undefined;
};

export type RowsProps<Row> = Pick<DataTableProps<Row>, 'label' | 'columns' | 'rowKey' | 'detail' | 'sorting'> & {
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  skeletonRows: number;
  isStale: boolean;
};

/** A table from 720 px, cards below; loading in the final size, empty, failed with a retry, paged. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rowKey, query, paging, sorting, empty, failureText, detail } = props;
  const isWide = useMediaQuery('(min-width: 720px)');
  const rows = query.data?.data;

  if (rows === undefined && query.error !== null) {
    return (
      <ErrorPanel
        title={failureText}
        detail={errorText(query.error, 'Try again in a moment.')}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (rows?.length === 0 && (paging === undefined || paging.page === 1)) {
    return typeof empty === 'string' ? <EmptyState icon={<Inbox />} title={empty} /> : empty;
  }
  const Rows = isWide ? TableRows : CardRows;
  return (
    <>
      {rows === undefined && props.loadingText !== undefined && (
        <p role="status" className="sr-only">
          {props.loadingText}
        </p>
      )}
      <Rows
        label={label}
        columns={columns}
        rowKey={rowKey}
        rows={rows}
        skeletonRows={props.skeletonRows ?? paging?.pageSize ?? 5}
        isStale={query.isFetching && rows !== undefined}
        {...(detail && { detail })}
        {...(sorting && { sorting })}
      />
      {paging !== undefined && <Pager label={label} total={query.data?.total} {...paging} />}
    </>
  );
}
