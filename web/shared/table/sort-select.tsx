import { SelectInput } from '../form/select-input.tsx';
import type { Column } from './column.ts';
import { oppositeOrder, type SortOrder, type Sorting } from './sorting.ts';

const orderWords: Record<SortOrder, string> = { asc: 'ascending', desc: 'descending' };

/** Sorts where there are no headers: above cards. */
export function SortSelect<Row>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) {
  const options = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [sort.first, oppositeOrder(sort.first)].map((order) => ({
          value: `${sort.by} ${order}`,
          label: `${header}, ${orderWords[order]}`,
        })),
  );
  const present = `${sorting.by} ${sorting.order}`;
  // A list may be sorted by a column that is not shown, such as the time of creation.
  if (!options.some(({ value }) => value === present)) {
    options.unshift({ value: present, label: `${wordOf(sorting.by)}, ${orderWords[sorting.order]}` });
  }
  return (
    <div className="border-b px-4 py-2">
      <SelectInput
        size="small"
        aria-label="Sort by"
        options={options}
        value={present}
        onChange={({ target }) => {
          const [by = '', order] = target.value.split(' ');
          sorting.onSort(by, order === 'asc' ? 'asc' : 'desc');
        }}
      />
    </div>
  );
}

/** `created_at` is 'Created'. */
function wordOf(by: string): string {
  const word = by.replace(/_at$/, '').replaceAll('_', ' ');
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
