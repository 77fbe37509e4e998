import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { segmentCountQuery } from '#web/shared/pick/member-count.tsx';
import { formatDate } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Tooltip } from '#web/shared/ui/tooltip.tsx';

const width = 76;
const height = 22;
const edge = 2;

const noon = (day: string) => `${day}T12:00:00Z`;

type Point = { at: number; people: number };

/** How the segment grew in 30 days: a line, and by how many; a dash until there is a count of an earlier day. */
export function SegmentGrowth({ segmentId }: { segmentId: number }) {
  const { data, isError } = useQuery(segmentCountQuery({ segmentId, withDays: true }));
  if (data === undefined) return isError ? <None /> : '...';
  const { count, counted_at: countedAt, days } = data;
  const points = days.map(({ day, count: people }): Point => ({ at: Date.parse(noon(day)), people }));
  const [first] = days;
  if (count !== null && countedAt !== null) {
    const now = Date.parse(countedAt);
    if (first?.day === countedAt.slice(0, 10)) return <None />;
    points.push({ at: Math.max(now, points.at(-1)?.at ?? 0), people: count });
  }
  const [start] = points;
  const end = points.at(-1);
  if (first === undefined || start === undefined || end === undefined || points.length < 2) return <None />;
  const by = end.people - start.people;
  const words = by === 0 ? 'As many as' : `${Math.abs(by).toLocaleString('en')} ${by > 0 ? 'more' : 'fewer'} than`;
  const Arrow = by > 0 ? ArrowUp : ArrowDown;
  return (
    <Tooltip text={`${words} on ${formatDate(noon(first.day))}`}>
      <span className="flex w-max items-center gap-2.5 max-[720px]:ml-auto">
        <Line points={points} />
        <span
          className={clsx(
            'inline-flex items-center gap-0.5 text-13 font-medium tabular-nums',
            by === 0 ? 'text-muted' : by > 0 ? 'text-green-ink' : 'text-red-ink',
          )}
        >
          {by !== 0 && <Arrow aria-hidden="true" strokeWidth={2.25} className="size-3" />}
          <span className="sr-only">{by > 0 ? 'grew by ' : by < 0 ? 'shrank by ' : 'changed by '}</span>
          {Math.abs(by).toLocaleString('en')}
        </span>
      </span>
    </Tooltip>
  );
}

/** The same on a page, where there is room to say why there is nothing yet. */
export function GrowthCard({ segmentId }: { segmentId: number }) {
  const { data } = useQuery(segmentCountQuery({ segmentId, withDays: true }));
  const isNew = data?.counted_at === null || !data?.days[0] || data.days[0].day === data.counted_at.slice(0, 10);
  return (
    <Card title="30 days">
      {data && isNew ? (
        <p className="text-13 text-muted">Counted once a day; shown from the second day on.</p>
      ) : (
        <SegmentGrowth segmentId={segmentId} />
      )}
    </Card>
  );
}

function None() {
  return (
    <Tooltip text="Counted once a day; shown from the second day on">
      <span className="text-faint">
        <span aria-hidden="true">—</span>
        <span className="sr-only">not known yet</span>
      </span>
    </Tooltip>
  );
}

function Line({ points }: { points: readonly Point[] }) {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const all = points.map(({ people }) => people);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * width;
  const y = (people: number) =>
    most === least ? height / 2 : height - edge - ((people - least) / (most - least)) * (height - 2 * edge);
  const line = points.map(({ at, people }) => `${x(at).toFixed(1)} ${y(people).toFixed(1)}`).join(' L');
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
      className="shrink-0 min-[720px]:max-xl:hidden"
    >
      <path d={`M0 ${height} L${line} L${width} ${height} Z`} className="fill-accent-subtle" />
      <path d={`M${line}`} className="fill-none stroke-accent" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}

/** When its people were counted. */
export function CountedAt({ segmentId }: { segmentId: number }) {
  const { data } = useQuery(segmentCountQuery({ segmentId, withDays: true }));
  if (data === undefined) return null;
  const at = data.counted_at;
  return <span className="text-muted">{at === null ? 'Not counted' : <RelativeTime at={at} />}</span>;
}
