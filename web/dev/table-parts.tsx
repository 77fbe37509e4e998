import { useState } from 'react';
import { ApiError } from '#web/shared/api-error.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { FilterBar } from '#web/shared/table/filter-bar.tsx';
import type { SortOrder } from '#web/shared/table/sorting.ts';
import { VirtualTable } from '#web/shared/table/virtual-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';

type Row = { id: number; to: string; status: 'sent' | 'failed' };

const columns: readonly Column<Row>[] = [
  { id: 'to', header: 'To', onCard: 'title', sort: { by: 'to', first: 'asc' }, cell: ({ to }) => to },
  { id: 'text', header: 'Message', fluid: true, cell: () => 'Your order 1042 is on its way, and it is a long one' },
  {
    id: 'status',
    header: 'Status',
    width: '8rem',
    onCard: 'badge',
    cell: ({ status }) => <StatusBadge kind="message" status={status} />,
  },
];

const rowOf = (id: number): Row => ({
  id,
  to: `+1 415 555 ${1000 + id}`,
  status: id % 3 === 0 ? 'failed' : 'sent',
});
const rows = [1, 2, 3, 4, 5].map(rowOf);
const manyRows = Array.from({ length: 10_000 }, (_, id) => rowOf(id));

const idle = { error: null, isFetching: false, refetch: () => undefined };
const states = {
  full: { data: { data: rows, total: 42 }, ...idle },
  stale: { data: { data: rows, total: 42 }, ...idle, isFetching: true },
  loading: { data: undefined, ...idle, isFetching: true },
  empty: { data: { data: [], total: 0 }, ...idle },
  failed: { data: undefined, ...idle, error: new ApiError(503, { code: 'x', message: 'The server is starting' }) },
};
type State = keyof typeof states;

function detailOf({ id }: Row) {
  return id === 2 ? <p className="text-13 text-muted">What opens beneath a row</p> : undefined;
}

export function TableParts() {
  const [state, setState] = useState<State>('full');
  const [page, setPage] = useState(1);
  const [order, setOrder] = useState<SortOrder>('asc');
  const [active, setActive] = useState(0);
  const options = Object.keys(states).map((value) => ({ value: value as State, label: value, count: 0 }));
  return (
    <>
      <Card
        title="Table"
        flush
        actions={<FilterBar label="State" options={options} value={state} onChange={setState} />}
      >
        <DataTable
          label="Messages"
          columns={columns}
          rowKey={({ id }) => id}
          query={states[state]}
          paging={{ page, pageSize: 5, onPage: setPage }}
          sorting={{ by: 'to', order, onSort: (_, next) => setOrder(next) }}
          detail={detailOf}
          skeletonRows={5}
          empty="No messages found."
          failureText="Failed to load messages"
        />
      </Card>
      <Card title="Virtual table" flush>
        <VirtualTable
          label="Rows"
          columns={columns}
          rows={manyRows}
          rowKey={({ id }) => id}
          activeIndex={active}
          onActive={setActive}
          actions={
            <Button variant="ghost" size="small">
              An action
            </Button>
          }
        />
      </Card>
    </>
  );
}
