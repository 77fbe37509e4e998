import { DaysTable, shortDay } from './days-table.tsx';
import type { Day } from './per-day.ts';

const shown = [
  { name: 'sent', label: 'Sent', fill: 'bg-gray-dot' },
  { name: 'delivered', label: 'Delivered', fill: 'bg-(--chart-delivered)' },
  { name: 'read', label: 'Read', fill: 'bg-blue-dot' },
  { name: 'replied', label: 'Replied', fill: 'bg-yellow-dot' },
] as const;

/** The counts of each day, four bars each; the table gives the same to screen readers. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.flatMap((day) => shown.map(({ name }) => day[name])));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  return (
    <>
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] text-12 text-muted tabular-nums">
        <div aria-hidden="true" className="-my-2 flex flex-col justify-between">
          {[most, most / 2, 0].map((value) => (
            <span key={value}>{Math.round(value).toLocaleString('en')}</span>
          ))}
        </div>
        <div aria-hidden="true" className="flex h-55 items-end justify-around gap-px border-y">
          {days.map((day) => (
            <span
              key={day.day}
              title={`${shortDay(day.day)}: ${shown.map(({ name, label }) => `${day[name].toLocaleString('en')} ${label.toLowerCase()}`).join(', ')}`}
              className="flex h-full max-w-16 min-w-0 flex-1 items-end justify-center gap-px hover:bg-hover"
            >
              {shown.map(({ name, fill }) => (
                <span
                  key={name}
                  className={`block max-w-3 min-w-px flex-1 rounded-t-[2px] ${fill}`}
                  style={{ height: `${(day[name] / most) * 100}%` }}
                />
              ))}
            </span>
          ))}
        </div>
        <div aria-hidden="true" className="col-start-2 flex justify-between gap-4 pt-2">
          <span>{shortDay(first.day)}</span>
          {days.length > 1 && <span className="text-right">{shortDay(last.day)}</span>}
        </div>
      </div>
      <DaysTable caption="What happened on each day" days={days} series={shown} />
      <ul aria-hidden="true" className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-13 text-muted">
        {shown.map(({ name, label, fill }) => (
          <li key={name} className="flex items-center gap-2">
            <span className={`size-2.5 rounded-[2px] ${fill}`} />
            {label}
          </li>
        ))}
      </ul>
    </>
  );
}
