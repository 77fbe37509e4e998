import type { Report } from '#contracts/reports.ts';
import { formatTime } from '../time-format.ts';
import { holdBands, holdWords } from './hold-bands.ts';
import { HoldMarks } from './hold-marks.tsx';

type ByMinute = NonNullable<Report['by_minute']>;
type Name = 'sent' | 'failed' | 'read';
type Bar = { at: number; share: number } & Record<Name, number>;

const minuteMs = 60_000;

const fills: Readonly<Record<Name, string>> = {
  sent: 'bg-(--chart-delivered)',
  failed: 'bg-red-dot',
  read: 'bg-blue-dot',
};

/** Every span from the first to the last; the last one is as wide as the time that has passed of it. */
function barsOf({ spans, step_minutes: stepMinutes, starts_at: from, ends_at: until }: ByMinute): Bar[] {
  const byTime = new Map(spans.map((span) => [Date.parse(span.at), span]));
  const stepMs = stepMinutes * minuteMs;
  const [first, last] = [Date.parse(from), Date.parse(until)];
  const bars: Bar[] = [];
  for (let at = first; at < last; at += stepMs) {
    const { sent = 0, failed = 0, read = 0 } = byTime.get(at) ?? {};
    bars.push({ at, share: Math.min(stepMs, last - at) / (last - first), sent, failed, read });
  }
  return bars;
}

/** How many were sent and failed in each minute or few, and read below; pauses and limits are marked. */
export function MinuteBars({ byMinute, holds }: { byMinute: ByMinute; holds: Report['holds'] }) {
  const bars = barsOf(byMinute);
  const bands = holdBands(holds, Date.parse(byMinute.starts_at), Date.parse(byMinute.ends_at));
  const times = `${formatTime(byMinute.starts_at)} to ${formatTime(byMinute.ends_at)}`;
  const sum = (name: Name) => bars.reduce((total, bar) => total + bar[name], 0).toLocaleString('en');
  const summary = `From ${times}: ${sum('sent')} sent, ${sum('failed')} failed, ${sum('read')} read.${holdWords(bands)}`;
  return (
    <div role="img" aria-label={summary} className="grid gap-4">
      <Plot bars={bars} names={['sent', 'failed']} height="h-41" bands={bands} />
      <Plot bars={bars} names={['read']} height="h-18" />
      <div className="flex justify-between pl-11 text-12 text-muted tabular-nums">
        <span>{formatTime(byMinute.starts_at)}</span>
        {bars.length > 1 && <span>{formatTime(byMinute.ends_at)}</span>}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-muted">
        {(['sent', 'failed', 'read'] as const).map((name) => (
          <li key={name} className="flex items-center gap-2">
            <span className={`size-2.5 rounded-[2px] ${fills[name]}`} />
            {name[0]?.toUpperCase()}
            {name.slice(1)} <b className="font-medium text-ink tabular-nums">{sum(name)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

type PlotProps = {
  bars: readonly Bar[];
  names: readonly Name[];
  height: string;
  bands?: ReturnType<typeof holdBands>;
};

function Plot({ bars, names, height, bands = [] }: PlotProps) {
  const of = (bar: Bar) => names.reduce((total, name) => total + bar[name], 0);
  const most = Math.max(1, ...bars.map(of));
  return (
    <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] text-12 text-muted tabular-nums">
      <div className="-my-2 flex flex-col justify-between">
        <span>{most.toLocaleString('en')}</span>
        <span>0</span>
      </div>
      <div className={`relative flex items-end border-y ${height}`}>
        {bars.map((bar) => (
          <span
            key={bar.at}
            title={`${formatTime(new Date(bar.at).toISOString())}: ${names.map((name) => `${bar[name].toLocaleString('en')} ${name}`).join(', ')}`}
            className="flex h-full max-w-12 flex-col-reverse px-[0.5px] hover:bg-hover"
            style={{ width: `${bar.share * 100}%` }}
          >
            {names.map((name) => (
              <span key={name} className={fills[name]} style={{ height: `${(bar[name] / most) * 100}%` }} />
            ))}
          </span>
        ))}
        <HoldMarks bands={bands} />
      </div>
    </div>
  );
}
