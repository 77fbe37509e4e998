import type { DayCounts } from '#contracts/messages.ts';
import { mediumDay } from './day-label.ts';
import { series, Swatch } from './series.tsx';

/** Narrow enough to stand beside any day of a phone's screen. */
const tooltipWidth = 152;
const distance = 6;

type DayTooltipProps = {
  day: DayCounts;
  /** Where the day is, from `offset` on. */
  column: { x: number; width: number };
  offset: number;
  /** Of all that the tooltip may stand in. */
  width: number;
};

/** Beside its day, on the side with more room. Its text is the name of the day's button. */
export function DayTooltip({ day, column, offset, width }: DayTooltipProps) {
  const start = offset + column.x;
  const isRight = start + column.width / 2 < width / 2;
  const left = isRight ? start + column.width + distance : start - distance - tooltipWidth;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 z-10 grid animate-fade-in gap-1.5 rounded-base bg-raised px-3 py-2.5 text-12 shadow-popover"
      style={{ left: Math.min(Math.max(0, left), Math.max(0, width - tooltipWidth)), width: tooltipWidth }}
    >
      <p className="font-medium">{mediumDay(day.date)}</p>
      {series.map(({ name, label }) => (
        <p key={name} className="flex items-center gap-2 text-muted">
          <Swatch name={name} />
          {label}
          <span className="ml-auto font-medium text-ink tabular-nums">{day[name].toLocaleString('en')}</span>
        </p>
      ))}
    </div>
  );
}
