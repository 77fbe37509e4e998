import type { ReactNode, Ref } from 'react';
import { VirtualTable, type VirtualTableHandle } from '#web/shared/table/virtual-table.tsx';
import { rowColumns } from './row-columns.tsx';
import type { BulkSend, BulkSendState } from './run/bulk-send.ts';
import { selectRow } from './run/selection.ts';

type RowsTableProps = {
  bulkSend: BulkSend;
  state: BulkSendState;
  /** Places in the upload, at least one. */
  rows: readonly number[];
  activeRow: number | undefined;
  onActiveRow: (row: number) => void;
  isLocked: boolean;
  actions: ReactNode;
  ref: Ref<VirtualTableHandle>;
};

export function RowsTable({ bulkSend, state, rows, activeRow, onActiveRow, isLocked, actions, ref }: RowsTableProps) {
  // The row of the preview; none where a filter leaves it out, and then Tab reaches the first.
  const activeIndex = activeRow === undefined ? -1 : rows.indexOf(activeRow);
  const columns = rowColumns({
    state,
    activeRow: rows[Math.max(0, activeIndex)],
    isLocked,
    onSelect: (index, isSelected) => selectRow(bulkSend, { index, isSelected }),
  });
  return (
    <VirtualTable
      ref={ref}
      label="Rows"
      columns={columns}
      rows={rows}
      rowKey={(row) => row}
      activeIndex={activeIndex}
      onActive={(place) => {
        const row = rows[place];
        if (row !== undefined) onActiveRow(row);
      }}
      actions={actions}
    />
  );
}
