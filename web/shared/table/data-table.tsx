import { Inbox } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { errorText } from '../api-error.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { useMediaQuery } from '../use-media-query.ts';
import { CardRows } from './card-rows.tsx';
import type { Paging, RowsProps, TableQuery } from './column.ts';
import { pageCount, Pager } from './pager.tsx';
import { TableRows } from './table-rows.tsx';

export type { Column, TableQuery } from './column.ts';

type DataTableProps<Row> = Pick<
  RowsProps<Row>,
  'label' | 'columns' | 'rowKey' | 'sorting' | 'selection' | 'rowLabel' | 'detail'
> & {
  query: TableQuery<Row>;
  paging?: Paging;
  /** 'No messages found.' or a whole EmptyState. */
  empty: ReactNode;
  /** 'Failed to load messages' */
  failureText: string;
  /** Told to screen readers while the first rows load. */
  loadingText?: string;
  skeletonRows?: number;
};

/** A table from 720 px, cards below; loading in the final size, empty, failed with a retry, paged. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rowKey, query, paging, sorting, selection, rowLabel, empty, failureText, detail } = props;
  const isWide = useMediaQuery('(min-width: 720px)');
  const isBeyond = isPastTheEnd(query, paging);
  const rows = isBeyond ? undefined : query.data?.data;
  const lastPage = pageCount(query.data?.total ?? 0, paging?.pageSize ?? 1);

  useEffect(() => {
    if (isBeyond) paging?.onPage(lastPage, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page that is not there
  }, [isBeyond, lastPage, paging?.page]);

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
        {...(selection && { selection })}
        {...(rowLabel && { rowLabel })}
      />
      {/* The pager waits for the total; below rows that are still loading it would jump. */}
      {paging !== undefined && query.data !== undefined && (
        <Pager label={label} total={query.data?.total} {...paging} />
      )}
    </>
  );
}

/** A page that an address asks for and that is not there, or no more. */
function isPastTheEnd(query: TableQuery<unknown>, paging: Paging | undefined): boolean {
  if (paging === undefined || query.data === undefined || query.isFetching) return false;
  return query.data.data.length === 0 && paging.page > pageCount(query.data.total ?? 0, paging.pageSize);
}
