import type { DayCounts } from '#contracts/messages.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { longDay } from './day-label.ts';
import { series } from './series.tsx';

const columns: readonly Column<DayCounts>[] = [
  {
    id: 'date',
    header: 'Day',
    onCard: 'title',
    cell: ({ date }) => <span className="whitespace-nowrap">{longDay(date)}</span>,
  },
  ...series.map(({ name, label }): Column<DayCounts> => ({
    id: name,
    header: label,
    align: 'right',
    cell: (day) => day[name].toLocaleString('en'),
  })),
];

/** The days of the chart as numbers, the newest first. */
export function DayTable({ days }: { days: readonly DayCounts[] }) {
  return (
    <ScrollRegion label="Messages a day" className="h-63">
      <DataTable
        label="Messages a day"
        columns={columns}
        rowKey={({ date }) => date}
        query={{ data: { data: days.toReversed() }, error: null, isFetching: false, refetch: () => undefined }}
        empty="No messages found."
        failureText="Failed to load messages"
      />
    </ScrollRegion>
  );
}
