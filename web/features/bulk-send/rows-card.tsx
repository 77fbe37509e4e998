import { FileSpreadsheet, Locate } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { afterPaint } from '#web/shared/after-paint.ts';
import { FilterBar } from '#web/shared/table/filter-bar.tsx';
import type { VirtualTableHandle } from '#web/shared/table/virtual-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { filterRows, type RowFilter } from './row-state.ts';
import type { BulkSend, BulkSendState } from './run/bulk-send.ts';
import { clearSelection, deselectInvalid, selectAll } from './run/selection.ts';
import { SendButtons, type SendButtonsProps } from './send-buttons.tsx';

/** Apart: there are no rows before a file is chosen. */
const loadRowsTable = async () => ({ default: (await import('./rows-table.tsx')).RowsTable });
const RowsTable = lazy(loadRowsTable);

type RowsCardProps = SendButtonsProps & {
  bulkSend: BulkSend;
  state: BulkSendState;
  /** The row that is being sent to. */
  sendingRow: number | undefined;
  activeRow: number | undefined;
  onActiveRow: (index: number) => void;
  /** While a run holds on to its rows. */
  isLocked: boolean;
};

const noFilterMatch = {
  all: 'No rows',
  valid: 'No valid rows',
  invalid: 'No invalid rows',
  failed: 'No failed rows',
} satisfies Record<RowFilter, string>;

const noOutcomes: BulkSendState['outcomes'] = new Map();

export function RowsCard(props: RowsCardProps) {
  const { bulkSend, state, sendingRow, activeRow, onActiveRow, isLocked } = props;
  const [filter, setFilter] = useState<RowFilter>('all');
  const table = useRef<VirtualTableHandle>(null);
  useFetchEarly();
  const { upload } = state;
  // Which rows there are changes with the outcomes in one filter alone.
  const outcomes = filter === 'failed' ? state.outcomes : noOutcomes;
  const rows = useMemo(() => filterRows({ upload, outcomes }, filter), [upload, outcomes, filter]);
  const counts = useCounts(state);
  const hasRows = upload !== undefined;
  const options = [
    { value: 'all', label: 'All', count: counts.all },
    { value: 'valid', label: 'Valid', count: counts.all - counts.invalid },
    { value: 'invalid', label: 'Invalid', count: counts.invalid },
    { value: 'failed', label: 'Failed', count: counts.failed },
  ] as const;

  function jumpToSending(): void {
    if (sendingRow === undefined) return;
    setFilter('all');
    onActiveRow(sendingRow);
    table.current?.scrollToRow(sendingRow);
  }

  return (
    <Card flush>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b px-3 py-2.5 sm:px-4">
        <FilterBar label="Filter rows" options={options} value={filter} onChange={setFilter} />
        <SendButtons {...props} />
      </div>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b px-3 py-1.5 sm:px-4">
        <span className="px-2.5 text-13 text-muted tabular-nums max-sm:basis-full max-sm:pt-1">
          {state.selected.size.toLocaleString('en')} selected
        </span>
        <Button variant="ghost" size="small" disabled={!hasRows || isLocked} onClick={() => selectAll(bulkSend)}>
          Select all
        </Button>
        <Button variant="ghost" size="small" disabled={!hasRows || isLocked} onClick={() => clearSelection(bulkSend)}>
          Clear
        </Button>
        <Button variant="ghost" size="small" disabled={!hasRows || isLocked} onClick={() => deselectInvalid(bulkSend)}>
          Deselect invalid
        </Button>
      </div>
      {rows.length === 0 ? (
        <NoRows title={hasRows ? noFilterMatch[filter] : undefined} />
      ) : (
        <Suspense fallback={<LoadingRows />}>
          <RowsTable
            key={`${upload?.id}/${filter}`}
            ref={table}
            bulkSend={bulkSend}
            state={state}
            rows={rows}
            activeRow={activeRow}
            onActiveRow={onActiveRow}
            isLocked={isLocked}
            actions={
              sendingRow !== undefined && (
                <Button
                  variant="ghost"
                  size="small"
                  icon={<Locate aria-hidden="true" className="size-3.5" />}
                  onClick={jumpToSending}
                >
                  Jump to sending
                </Button>
              )
            }
          />
        </Suspense>
      )}
    </Card>
  );
}

function useCounts({ upload, outcomes }: BulkSendState): { all: number; invalid: number; failed: number } {
  const invalid = useMemo(() => upload?.contacts.filter(({ problem }) => problem !== undefined).length ?? 0, [upload]);
  const failed = useMemo(() => [...outcomes.values()].filter(({ status }) => status === 'failed').length, [outcomes]);
  return { all: upload?.contacts.length ?? 0, invalid, failed };
}

/** The table is there by the time that a file has been chosen. */
function useFetchEarly(): void {
  useEffect(
    () =>
      afterPaint(() => {
        // The table is requested again where it is needed, and an error is shown there.
        loadRowsTable().catch(() => undefined);
      }),
    [],
  );
}

/** `title` says which rows there are none of; undefined before a file is chosen. */
function NoRows({ title }: { title: string | undefined }) {
  return title === undefined ? (
    <EmptyState
      icon={<FileSpreadsheet />}
      title="No contacts yet"
      hint="Choose a CSV file to see its rows here, with the numbers that cannot be sent to marked."
    />
  ) : (
    <EmptyState icon={<FileSpreadsheet />} title={title} />
  );
}

function LoadingRows() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-7 px-4 py-4 sm:px-5">
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-4 w-full" />
      ))}
    </div>
  );
}
