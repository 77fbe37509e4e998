import { Skeleton } from '../ui/skeleton.tsx';
import { handleRowKeys } from './row-keys.ts';
import { SelectBox } from './select-box.tsx';
import type { RowsProps } from './column.ts';
import { SortSelect } from './sort-select.tsx';

/** A table on a phone: one dense card a record. */
export function CardRows<Row>(props: RowsProps<Row>) {
  const { label, columns, rows, rowKey, sorting, skeletonRows, isStale } = props;
  return (
    <>
      {sorting !== undefined && <SortSelect columns={columns} sorting={sorting} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the cards' controls */}
      <ul
        aria-label={label}
        aria-busy={rows === undefined || isStale}
        onKeyDown={(event) => handleRowKeys(event, rows, props.selection)}
        className="divide-y"
      >
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, index) => <SkeletonCard key={index} />)
          : rows.map((row, index) => (
              <li key={rowKey(row)} data-row={index} className="px-4 py-3">
                <RecordCard {...props} row={row} />
              </li>
            ))}
      </ul>
    </>
  );
}

type RecordCardProps<Row> = Pick<RowsProps<Row>, 'columns' | 'detail' | 'selection' | 'rowLabel'> & { row: Row };

export function RecordCard<Row>({ columns, detail, selection, rowLabel, row }: RecordCardProps<Row>) {
  const title = columns.find((column) => column.onCard === 'title') ?? columns[0];
  const badge = columns.find((column) => column.onCard === 'badge');
  const actions = columns.find((column) => column.onCard === 'actions');
  const facts = columns.filter((column) => column !== title && column.onCard === undefined);
  return (
    <>
      <div className="flex items-center gap-2">
        {selection !== undefined && <SelectBox selection={selection} row={row} label={rowLabel?.(row) ?? ''} />}
        <div className="min-w-0 flex-1 truncate font-medium">{title?.cell(row)}</div>
        {badge?.cell(row)}
        {actions?.cell(row)}
      </div>
      <dl className="mt-1.5 grid gap-1 text-13">
        {facts.map((column) =>
          column.fluid === true ? (
            <div key={column.id} className="min-w-0">
              <dt className="sr-only">{column.header}</dt>
              <dd className="line-clamp-2 wrap-anywhere text-muted">{column.cell(row)}</dd>
            </div>
          ) : (
            <div key={column.id} className="flex items-baseline justify-between gap-4">
              <dt className="shrink-0 text-muted">{column.header}</dt>
              <dd className="min-w-0 truncate text-right tabular-nums">{column.cell(row)}</dd>
            </div>
          ),
        )}
      </dl>
      {detail?.(row)}
    </>
  );
}

function SkeletonCard() {
  return (
    <li className="grid gap-2.5 px-4 py-4">
      <Skeleton className="h-3 w-2/5" />
      <Skeleton className="h-3 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </li>
  );
}
