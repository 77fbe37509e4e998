import { clsx } from 'clsx';
import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Column, RowsProps } from './column.ts';
import { SortButton } from './sort-button.tsx';
import { ariaSort } from './sorting.ts';

function cellClass<Row>(column: Column<Row>): string {
  return clsx(
    'px-4 first:pl-5 last:pr-5',
    column.align === 'right' ? 'text-right tabular-nums' : 'text-left',
    column.fluid === true && 'w-full max-w-0 min-w-32',
    column.wideOnly === true && 'max-xl:hidden',
  );
}

export function TableRows<Row>(props: RowsProps<Row>) {
  const { label, columns, rowKey, rows, detail, sorting, skeletonRows, isStale } = props;
  return (
    <div className="relative overflow-x-auto">
      <table aria-label={label} aria-busy={rows === undefined || isStale} className="w-full border-collapse">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={ariaSort(column.sort, sorting)}
                className={clsx(
                  cellClass(column),
                  'h-9 border-b bg-sunken text-12 font-medium whitespace-nowrap text-muted',
                )}
              >
                <SortButton column={column} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => <SkeletonRow key={index} columns={columns} />)
            : rows.map((row) => (
                <Fragment key={rowKey(row)}>
                  <tr className="border-b last:border-b-0 hover:bg-hover">
                    {columns.map((column) => (
                      <td key={column.id} className={clsx(cellClass(column), 'h-11 py-1.5')}>
                        {column.fluid === true ? <div className="truncate">{column.cell(row)}</div> : column.cell(row)}
                      </td>
                    ))}
                  </tr>
                  <DetailRow content={detail?.(row)} span={columns.length} />
                </Fragment>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function DetailRow({ content, span }: { content: ReactNode; span: number }) {
  if (content === undefined || content === null) return null;
  return (
    <tr className="border-b last:border-b-0">
      <td colSpan={span} className="px-5 pb-4">
        {content}
      </td>
    </tr>
  );
}

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr className="border-b last:border-b-0">
      {columns.map((column) => (
        <td key={column.id} className={clsx(cellClass(column), 'h-11 py-1.5')}>
          <Skeleton className={clsx('h-3', skeletonWidth(column), column.align === 'right' && 'ml-auto')} />
        </td>
      ))}
    </tr>
  );
}

function skeletonWidth<Row>(column: Column<Row>): string {
  if (column.fluid === true) return 'w-3/4';
  return 'w-20';
}
