import type { Report } from '#contracts/reports.ts';
import { formatDateTime } from '../time-format.ts';
import type { Point, Series } from './cumulate.ts';
import { holdBands, holdWords } from './hold-bands.ts';
import { HoldMarks } from './hold-marks.tsx';

const width = 720;
const height = 220;

const series: readonly { name: Series; label: string; stroke: string; dash?: string }[] = [
  { name: 'sent', label: 'Sent', stroke: 'stroke-faint', dash: '2 3' },
  { name: 'delivered', label: 'Delivered', stroke: 'stroke-(--chart-delivered)' },
  { name: 'read', label: 'Read', stroke: 'stroke-blue-dot', dash: '8 4' },
  { name: 'replied', label: 'Replied', stroke: 'stroke-yellow-ink', dash: '8 3 2 3' },
];

/** How the four grew, from the start on; pauses and limits are marked. */
export function GrowthLines({ points, holds }: { points: readonly Point[]; holds: Report['holds'] }) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const most = Math.max(1, ...series.map(({ name }) => last[name]));
  const bands = holdBands(holds, first.at, last.at);
  const x = (at: number) => ((at - first.at) / Math.max(1, last.at - first.at)) * width;
  const pathOf = (name: Series) =>
    `M${points.map((point) => `${x(point.at).toFixed(1)} ${yOf(point[name], most)}`).join(' ')}`;
  return (
    <>
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] text-12 text-muted tabular-nums">
        <div aria-hidden="true" className="-my-2 flex flex-col justify-between">
          {[most, most / 2, 0].map((value) => (
            <span key={value}>{Math.round(value).toLocaleString('en')}</span>
          ))}
        </div>
        <div className="relative h-55">
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${summary(first, last)}${holdWords(bands)}`}
            className="h-full w-full overflow-visible"
          >
            {[0, 0.5, 1].map((share) => (
              <line
                key={share}
                x1="0"
                x2={width}
                y1={share * height}
                y2={share * height}
                className="stroke-border"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {series.map(({ name, stroke, dash }) => (
              <path
                key={name}
                d={pathOf(name)}
                className={`fill-none stroke-2 ${stroke}`}
                strokeDasharray={dash}
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
          <HoldMarks bands={bands} />
        </div>
        <div aria-hidden="true" className="col-start-2 flex justify-between gap-4 pt-2">
          <span>{formatDateTime(new Date(first.at).toISOString())}</span>
          <span className="text-right">{formatDateTime(new Date(last.at).toISOString())}</span>
        </div>
      </div>
      <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-13 text-muted">
        {series.map(({ name, label, stroke, dash }) => (
          <li key={name} className="flex items-center gap-2">
            <svg width="28" height="8" aria-hidden="true">
              <path d="M0 4H28" className={`fill-none stroke-2 ${stroke}`} strokeDasharray={dash} />
            </svg>
            {label} <b className="font-medium text-ink tabular-nums">{last[name].toLocaleString('en')}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

const yOf = (value: number, most: number) => (height - (value / most) * height).toFixed(1);

function summary(first: Point, last: Point): string {
  const reached = series.map(({ name, label }) => `${label.toLowerCase()} ${last[name]}`).join(', ');
  const [from, to] = [first.at, last.at].map((at) => formatDateTime(new Date(at).toISOString()));
  return `From ${from} to ${to}: ${reached}.`;
}
