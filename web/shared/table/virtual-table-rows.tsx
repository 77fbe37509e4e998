import { clsx } from 'clsx';
import { Fragment, memo, type ReactNode } from 'react';
import type { Column } from './column.ts';
import type { VirtualRowsProps } from './virtual-rows.ts';

function cellClass<Row>(column: Column<Row>): string {
  return clsx('px-2.5 first:pl-5 last:pr-5', column.align === 'right' ? 'text-right tabular-nums' : 'text-left');
}

/** The rows in sight, between two that are as high as all the others. */
export function VirtualTableRows<Row>(props: VirtualRowsProps<Row>) {
  const { label, columns, rows, rowKey, activeIndex, onActive, virtualizer } = props;
  const items = virtualizer.getVirtualItems();
  return (
    <table aria-label={label} aria-rowcount={rows.length + 1} className="w-full table-fixed border-collapse">
      <colgroup>
        {columns.map(({ id, width }) => (
          <col key={id} style={{ width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={clsx(
                cellClass(column),
                'sticky top-0 z-1 h-9 bg-sunken text-12 font-medium whitespace-nowrap text-muted shadow-[inset_0_-1px_var(--color-line)]',
              )}
            >
              <span className={clsx(column.quietHeader === true && 'sr-only')}>{column.header}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map(({ index, start }, place) => {
          const row = rows[index];
          const gap = start - (items[place - 1]?.end ?? 0);
          return (
            row !== undefined && (
              <Fragment key={rowKey(row)}>
                <Gap height={gap} />
                <VirtualRow
                  columns={columns}
                  row={row}
                  index={index}
                  isActive={index === activeIndex}
                  onActive={onActive}
                />
              </Fragment>
            )
          );
        })}
        <Gap height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
      </tbody>
    </table>
  );
}

type VirtualRowProps<Row> = Pick<VirtualRowsProps<Row>, 'columns' | 'onActive'> & {
  row: Row;
  index: number;
  isActive: boolean;
};

/** While the table scrolls, only rows that come into sight are made. */
const VirtualRow = memo(function VirtualRow<Row>({ columns, row, index, isActive, onActive }: VirtualRowProps<Row>) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isActive || undefined}
      onFocus={() => onActive(index)}
      onClick={() => onActive(index)}
      className={clsx('h-11 border-b', isActive ? 'bg-accent-subtle' : 'hover:bg-hover')}
    >
      {columns.map((column) => (
        <td key={column.id} className={clsx(cellClass(column), 'truncate py-0.5')}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: VirtualRowProps<Row>) => ReactNode;

function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden="true" style={{ height }} />;
}
