import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { DayCounts } from '#contracts/messages.ts';
import { axisScale } from './axis-scale.ts';
import { highestBar, layOutDay, type Bar, type DayLayout } from './bar-layout.ts';
import { longDay, shortDay } from './day-label.ts';
import { DayTooltip } from './day-tooltip.tsx';
import { series } from './series.tsx';
import { useElementWidth } from './use-element-width.ts';

const axisWidth = 44;
const plotTop = 8;
const plotHeight = 198;
const chartHeight = 232;
const dateWidth = 56;

const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const axisText = (mark: number) => (mark < 10_000 ? mark.toLocaleString('en') : compact.format(mark));

/** A bar a day. The chart is a single tab stop; the arrows go from day to day, and each tells its counts. */
export function DayBars({ days }: { days: readonly DayCounts[] }) {
  const container = useRef<HTMLDivElement>(null);
  const width = useElementWidth(container);
  const [focused, setFocused] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const [tabStop, setTabStop] = useState(days.length - 1);
  const shown = pointed ?? focused;
  const scale = axisScale(highestBar(days));
  const plot = { width: Math.max(0, width - axisWidth), height: plotHeight, scale };
  const layouts = days.map((day, index) => layOutDay(day, { index, of: days.length }, plot));
  const shownDay = shown === undefined ? undefined : days[shown];
  const shownLayout = shown === undefined ? undefined : layouts[shown];

  function hide(): void {
    setPointed(undefined);
    setFocused(undefined);
  }

  function handleKey(event: KeyboardEvent<HTMLElement>, index: number): void {
    if (event.key === 'Escape') return hide();
    const next = nextDay(event.key, index, days.length);
    if (next === undefined) return;
    event.preventDefault();
    container.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <div ref={container} className="relative h-58">
      <svg aria-hidden="true" width={width} height={chartHeight} className="block text-12 tabular-nums">
        {scale.marks.map((mark) => (
          <Mark key={mark} text={axisText(mark)} y={plotTop + plotHeight * (1 - mark / scale.end)} width={width} />
        ))}
        <g transform={`translate(${axisWidth} ${plotTop})`}>
          {layouts.map((layout, index) => (
            <DayColumn key={days[index]?.date} layout={layout} isShown={index === shown} />
          ))}
        </g>
        <Dates days={days} plotWidth={plot.width} />
      </svg>
      <div
        role="group"
        aria-label="Messages a day"
        className="absolute flex"
        style={{ left: axisWidth, right: 0, top: plotTop, height: plotHeight }}
        onPointerLeave={() => setPointed(undefined)}
      >
        {days.map((day, index) => (
          <button
            key={day.date}
            type="button"
            aria-label={dayText(day)}
            tabIndex={index === Math.min(tabStop, days.length - 1) ? 0 : -1}
            className="min-w-0 flex-1 cursor-default rounded-small focus-visible:-outline-offset-2"
            onPointerEnter={() => setPointed(index)}
            onClick={() => setFocused(index)}
            onFocus={() => {
              setTabStop(index);
              setFocused(index);
            }}
            onBlur={() => setFocused(undefined)}
            onKeyDown={(event) => handleKey(event, index)}
          />
        ))}
      </div>
      {shownDay !== undefined && shownLayout !== undefined && (
        <DayTooltip day={shownDay} column={shownLayout.column} offset={axisWidth} width={width} />
      )}
    </div>
  );
}

function nextDay(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return Math.min(count - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function dayText(day: DayCounts): string {
  const counts = series.map(({ name, label }) => `${day[name].toLocaleString('en')} ${label.toLowerCase()}`);
  return `${longDay(day.date)}: ${counts.join(', ')}`;
}

function Mark({ text, y, width }: { text: string; y: number; width: number }) {
  return (
    <>
      <line x1={axisWidth} x2={width} y1={y} y2={y} className="stroke-line" shapeRendering="crispEdges" />
      <text x={axisWidth - 10} y={y} dy="0.32em" textAnchor="end" className="fill-faint">
        {text}
      </text>
    </>
  );
}

/** As many dates as have room, today always among them. */
function Dates({ days, plotWidth }: { days: readonly DayCounts[]; plotWidth: number }) {
  const columnWidth = plotWidth / days.length;
  const every = Math.max(1, Math.ceil(dateWidth / Math.max(1, columnWidth)));
  return days.map(({ date }, index) => {
    const isLast = index === days.length - 1;
    if ((days.length - 1 - index) % every !== 0) return null;
    const middle = axisWidth + (index + 0.5) * columnWidth;
    // Under a narrow last column half a date would stand outside.
    const hangs = isLast && columnWidth < dateWidth - 16;
    return (
      <text
        key={date}
        x={hangs ? axisWidth + plotWidth : middle}
        y={chartHeight - 4}
        textAnchor={hangs ? 'end' : 'middle'}
        className="fill-faint"
      >
        {shortDay(date)}
      </text>
    );
  });
}

function DayColumn({ layout, isShown }: { layout: DayLayout; isShown: boolean }) {
  const stripes = useId();
  const hasFailed = layout.failed.height > 0;
  return (
    <>
      {isShown && <rect {...layout.column} y={0} height={plotHeight} rx={4} className="fill-hover" />}
      <path
        d={topRounded(layout.sent, hasFailed ? 0 : 2)}
        className="fill-(--chart-sent) stroke-(--chart-delivered)"
        strokeWidth={layout.sent.height > layout.delivered.height ? 1 : 0}
      />
      <path
        d={topRounded(layout.delivered, hasFailed || layout.sent.height > layout.delivered.height ? 0 : 2)}
        className="fill-(--chart-delivered)"
      />
      {hasFailed && (
        <>
          <pattern id={stripes} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="4" className="fill-(--chart-failed)" />
          </pattern>
          <path d={topRounded(layout.failed, 2)} fill={`url(#${stripes})`} />
        </>
      )}
      <path d={topRounded(layout.received, 2)} className="fill-(--chart-received)" />
    </>
  );
}

/** A bar whose upper corners are round; nothing where there is none. */
function topRounded({ x, y, width, height }: Bar, radius: number): string {
  if (height === 0) return '';
  const r = Math.min(radius, height, width / 2);
  return `M${x} ${y + height}V${y + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${y + height}Z`;
}
