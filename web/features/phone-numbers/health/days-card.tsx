import { useId } from 'react';
import type { PhoneHealthHistory } from '#contracts/phone-health.ts';
import { DaysTable, shortDay } from '#web/shared/report/days-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';

type Day = PhoneHealthHistory['days'][number];
type Name = 'sent' | 'delivered' | 'answered';

const series: readonly { name: Name; label: string; swatch: string }[] = [
  { name: 'sent', label: 'Sent', swatch: 'bg-(--chart-sent) outline-1 -outline-offset-1 outline-(--chart-delivered)' },
  { name: 'delivered', label: 'Delivered', swatch: 'bg-(--chart-delivered)' },
  {
    name: 'answered',
    label: 'Answered',
    swatch: 'bg-[repeating-linear-gradient(45deg,var(--chart-received)_0_2px,var(--surface)_2px_3px)]',
  },
];

const sum = (days: readonly Day[], name: Name) => days.reduce((total, day) => total + day[name], 0);
const percent = (value: number) => `${value.toFixed(2)}%`;

/** The messages sent on each of the last 14 days, with their outcomes. */
export function DaysCard({ days }: { days: readonly Day[] }) {
  return (
    <Card title="Last 14 days" description="Messages a day" actions={<Legend days={days} />}>
      <Bars days={days} />
      <DaysTable
        caption="Messages a day"
        days={days.map(({ date, ...counts }) => ({ day: date, ...counts }))}
        series={series}
      />
    </Card>
  );
}

function Legend({ days }: { days: readonly Day[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-muted tabular-nums">
      {series.map(({ name, label, swatch }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`block size-2 rounded-[2px] ${swatch}`} />
          {label} <b className="font-medium text-ink">{sum(days, name).toLocaleString('en')}</b>
        </li>
      ))}
    </ul>
  );
}

/** The end of the axis: a round number that holds the highest bar. */
export function axisEnd(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(most, 4)));
  return [1, 2, 4, 6, 8, 10].map((part) => part * magnitude).find((end) => end >= Math.max(most, 4)) ?? 10 * magnitude;
}

function Bars({ days }: { days: readonly Day[] }) {
  const stripes = useId();
  const end = axisEnd(Math.max(...days.map(({ sent }) => sent)));
  const column = 100 / days.length;
  return (
    <div aria-hidden="true" className="relative h-52 pb-6 pl-10 text-12 tabular-nums">
      <div className="relative h-full">
        {[0, 0.5, 1].map((part) => (
          <span
            key={part}
            className="absolute -left-10 w-8 translate-y-1/2 text-right text-faint"
            style={{ bottom: percent(part * 100) }}
          >
            {(end * part).toLocaleString('en')}
          </span>
        ))}
        <svg className="absolute inset-0 size-full">
          <pattern id={stripes} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="4" className="fill-(--chart-received)" />
          </pattern>
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              x1="0"
              x2="100%"
              y1={percent(part * 100)}
              y2={percent(part * 100)}
              className="stroke-line"
            />
          ))}
          {days.map((day, index) => (
            <g key={day.date}>
              <title>{`${shortDay(day.date)}: ${day.sent} sent, ${day.delivered} delivered, ${day.answered} answered`}</title>
              <rect x={percent(index * column)} width={percent(column)} height="100%" fill="transparent" />
              {series.map(({ name }, place) => (
                <Bar
                  key={name}
                  name={name}
                  stripes={stripes}
                  share={day[name] / end}
                  x={index * column + column * (0.16 + place * 0.235)}
                  width={column * 0.21}
                />
              ))}
            </g>
          ))}
        </svg>
        {days.map((day, index) => (
          <span
            key={day.date}
            className={`absolute -bottom-6 -translate-x-1/2 whitespace-nowrap text-faint ${(days.length - 1 - index) % 3 === 0 ? '' : 'hidden'}`}
            style={{ left: percent((index + 0.5) * column) }}
          >
            {shortDay(day.date)}
          </span>
        ))}
      </div>
    </div>
  );
}

type BarProps = { name: Name; stripes: string; share: number; x: number; width: number };

function Bar({ name, stripes, share, x, width }: BarProps) {
  if (share === 0) return null;
  const place = {
    x: percent(x),
    width: percent(width),
    y: percent(100 - share * 100),
    height: percent(share * 100),
    rx: 1.5,
  };
  if (name === 'answered') return <rect {...place} fill={`url(#${stripes})`} />;
  return (
    <rect
      {...place}
      className={name === 'sent' ? 'fill-(--chart-sent) stroke-(--chart-delivered)' : 'fill-(--chart-delivered)'}
    />
  );
}
