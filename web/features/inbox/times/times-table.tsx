import type { ReactNode } from 'react';
import type { TimesFigures } from '#contracts/conversation-times.ts';
import { durationText } from '#web/shared/duration-text.ts';
import { Card } from '#web/shared/ui/card.tsx';

type Row = TimesFigures & { key: string; name: ReactNode };
type TimesTableProps = { title: string; description: string; first: string; rows: readonly Row[] };

const columns = [
  { label: 'First answers', value: ({ answered_count: count }: TimesFigures) => count.toLocaleString('en') },
  { label: 'Median to answer', value: (figures: TimesFigures) => durationText(figures.first_answer_median_seconds) },
  { label: 'Average to answer', value: (figures: TimesFigures) => durationText(figures.first_answer_average_seconds) },
  { label: 'Done', value: ({ done_count: count }: TimesFigures) => count.toLocaleString('en') },
  { label: 'Median to done', value: (figures: TimesFigures) => durationText(figures.done_median_seconds) },
  { label: 'Average to done', value: (figures: TimesFigures) => durationText(figures.done_average_seconds) },
] as const;

/** A row a day or member; on a phone each row is a card of its figures. */
export function TimesTable({ title, description, first, rows }: TimesTableProps) {
  return (
    <Card title={title} description={description} flush className="overflow-hidden">
      <table className="w-full sm:table-fixed text-13 tabular-nums max-sm:block">
        <thead className="text-left text-12 text-muted max-sm:sr-only">
          <tr className="border-b">
            <th scope="col" className="px-4 py-2 font-medium sm:w-1/4 sm:px-5">
              {first}
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" className="px-3 py-2 text-right font-medium last:sm:pr-5">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y max-sm:block">
          {rows.map(({ key, name, ...figures }) => (
            <tr key={key} className="max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:px-4 max-sm:py-3 sm:h-11">
              <th
                scope="row"
                className="text-left font-medium wrap-anywhere max-sm:col-span-2 max-sm:pb-1 sm:px-5 sm:py-2"
              >
                {name}
              </th>
              {columns.map(({ label, value }) => (
                <td
                  key={label}
                  className="max-sm:flex max-sm:justify-between max-sm:gap-2 sm:px-3 sm:text-right last:sm:pr-5"
                >
                  <span aria-hidden="true" className="text-muted sm:hidden">
                    {label}
                  </span>
                  {value(figures)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
