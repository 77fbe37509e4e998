import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { Column } from './column.ts';
import { oppositeOrder, type Sorting } from './sorting.ts';

/** A column's header; a button where it sorts. */
export function SortButton<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { header, sort } = column;
  if (sort === undefined || sorting === undefined) return header;
  const isSorted = sort.by === sorting.by;
  const Icon = isSorted ? (sorting.order === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(sort.by, isSorted ? oppositeOrder(sorting.order) : sort.first)}
      className={clsx(
        '-mx-1 inline-flex h-7 items-center gap-1 rounded-small px-1 font-medium hover:text-ink',
        isSorted && 'text-ink',
      )}
    >
      {header}
      <Icon aria-hidden="true" className={clsx('size-3.5', !isSorted && 'text-faint')} />
    </button>
  );
}
