import type { EntryFilter } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import { formatExactTime } from '../time-format.ts';
import { FigureLink } from './figure-link.tsx';
import type { Noun } from './figure-words.ts';

const parts = [
  { name: 'sent', label: 'Sent', fill: 'bg-(--chart-delivered)' },
  { name: 'failed', label: 'Failed', fill: 'bg-red-dot' },
  { name: 'skipped', label: 'Skipped', fill: 'bg-gray-dot' },
  { name: 'waiting', label: 'Waiting', fill: 'bg-gray-wash' },
] as const satisfies readonly { name: EntryFilter & keyof Report; label: string; fill: string }[];

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Everybody it is for, in four parts that add up; each leads to its people. */
export function ReportTotals({ report, noun }: { report: Report; noun: Noun }) {
  const said = parts.map(({ name, label }) => `${report[name].toLocaleString('en')} ${label.toLowerCase()}`).join(', ');
  return (
    <div className="grid gap-2.5 border-b p-4 sm:p-5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <FigureLink figure={{}} className="text-16 font-semibold tabular-nums">
          {report.total.toLocaleString('en')} {noun}
        </FigureLink>
        <span className="text-12 text-muted tabular-nums">
          every figure counts them once, as of{' '}
          <time dateTime={report.as_of} title={formatExactTime(report.as_of)}>
            {clock.format(new Date(report.as_of))}
          </time>
        </span>
      </p>
      <div role="img" aria-label={said} className="flex h-2.5 gap-px overflow-hidden rounded-[3px] bg-gray-wash">
        {parts
          .filter(({ name }) => report[name] > 0)
          .map(({ name, fill }) => (
            <span key={name} className={fill} style={{ flexGrow: report[name] }} />
          ))}
      </div>
      <ul className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-13 text-muted tabular-nums">
        {parts.map(({ name, label, fill }, index) => (
          <li key={name} className="flex items-center gap-2">
            {index > 0 && <span aria-hidden="true">+</span>}
            <span aria-hidden="true" className={`size-2.5 rounded-[2px] border ${fill}`} />
            <FigureLink figure={{ status: name }}>
              {label} <b className="font-medium text-ink">{report[name].toLocaleString('en')}</b>
            </FigureLink>
          </li>
        ))}
        <li>
          = <b className="font-medium text-ink">{report.total.toLocaleString('en')}</b>
        </li>
      </ul>
    </div>
  );
}
