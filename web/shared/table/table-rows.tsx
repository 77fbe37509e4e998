import { clsx } from 'clsx';
import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Column, RowsProps } from './column.ts';
import { handleRowKeys } from './row-keys.ts';
import { SelectBox, SelectPageBox } from './select-box.tsx';
import { SortButton } from './sort-button.tsx';
import { ariaSort } from './sorting.ts';

function cellClass<Row>(column: Column<Row>): string {
  return clsx(
    'px-4 first:pl-5 last:pr-5',
    column.align === 'right' ? 'text-right tabular-nums' : 'text-left',
    column.fluid === true && 'w-full max-w-0 min-w-32 max-xl:min-w-24',
    column.wideOnly === true && 'max-xl:hidden',
    column.wideOnly === 'widest' && 'max-[87.5rem]:hidden',
  );
}

const boxCellClass = 'w-0 py-1.5 pr-1 pl-5';

export function TableRows<Row>(props: RowsProps<Row>) {
  const { label, columns, rowKey, rows, detail, sorting, selection, rowLabel, skeletonRows, isStale } = props;
  const span = columns.length + (selection === undefined ? 0 : 1);
  return (
    <div className="relative overflow-x-auto">
      <table aria-label={label} aria-busy={rows === undefined || isStale} className="w-full border-collapse">
        <thead>
          <tr>
            {selection !== undefined && (
              <th scope="col" className={clsx(boxCellClass, 'h-9 border-b bg-sunken')}>
                <SelectPageBox selection={selection} />
              </th>
            )}
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
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the rows' controls */}
        <tbody onKeyDown={(event) => handleRowKeys(event, rows, selection)}>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow key={index} columns={columns} hasBox={selection !== undefined} />
              ))
            : rows.map((row, index) => (
                <Fragment key={rowKey(row)}>
                  <tr
                    data-row={index}
                    data-selected={selection?.has(row) === true || undefined}
                    className="border-b last:border-b-0 hover:bg-hover data-selected:bg-accent-subtle"
                  >
                    {selection !== undefined && (
                      <td className={boxCellClass}>
                        <SelectBox selection={selection} row={row} label={rowLabel?.(row) ?? String(rowKey(row))} />
                      </td>
                    )}
                    {columns.map((column) => (
                      <td key={column.id} className={clsx(cellClass(column), 'h-11 py-1.5')}>
                        {column.fluid === true ? <div className="truncate">{column.cell(row)}</div> : column.cell(row)}
                      </td>
                    ))}
                  </tr>
                  <DetailRow content={detail?.(row)} span={span} />
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

function SkeletonRow<Row>({ columns, hasBox }: { columns: readonly Column<Row>[]; hasBox: boolean }) {
  return (
    <tr className="border-b last:border-b-0">
      {hasBox && (
        <td className={boxCellClass}>
          <Skeleton className="size-4" />
        </td>
      )}
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
