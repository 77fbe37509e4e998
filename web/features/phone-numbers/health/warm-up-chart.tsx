import type { PhoneHealthHistory } from '#contracts/phone-health.ts';

type WarmUp = NonNullable<PhoneHealthHistory['warm_up']>;
type Point = { x: number; y: number };

/** The axis goes a week beyond the last step. */
const daysAfter = 7;
const marks = [0, 25, 50, 75, 100];
const dayMarks = [1, 7, 14, 21, 28];

const percent = (value: number) => `${value.toFixed(2)}%`;

/** The allowance of first contacts by the day of the warm-up: what is behind is drawn through, what is to come dotted. */
export function WarmUpChart({ warmUp, isHeld }: { warmUp: WarmUp; isHeld: boolean }) {
  const { steps } = warmUp;
  const lastDay = (steps.at(-1)?.from_day ?? 1) + daysAfter - 1;
  const most = Math.max(...steps.map(({ first_contacts: first }) => first), 1);
  const today = Math.min(warmUp.day, lastDay);
  const xOf = (day: number) => (day / lastDay) * 100;
  const current = steps.findLast(({ from_day: from }) => from <= warmUp.day);
  const points = steps.flatMap(({ from_day: from, first_contacts: first }, index): Point[] => {
    const next = steps[index + 1]?.from_day ?? lastDay + 1;
    const y = 100 - (first / most) * 100;
    return [
      { x: xOf(from - 1), y },
      { x: xOf(next - 1), y },
    ];
  });
  const at: Point = { x: xOf(today), y: 100 - ((current?.first_contacts ?? 0) / most) * 100 };
  const tip = `${isHeld ? 'Held at' : 'Today:'} ${current?.first_contacts ?? 0} a day`;
  return (
    <div role="img" aria-label={summary(warmUp, isHeld)} className="relative h-48 pb-6 pl-9 text-12 tabular-nums">
      <div aria-hidden="true" className="relative h-full">
        {marks.map((mark) => (
          <span
            key={mark}
            className="absolute -left-9 w-7 translate-y-1/2 text-right text-faint"
            style={{ bottom: percent(mark) }}
          >
            {Math.round((most * mark) / 100)}
          </span>
        ))}
        <svg className="absolute inset-0 size-full overflow-visible">
          {marks.map((mark) => (
            <line key={mark} x1="0" x2="100%" y1={percent(mark)} y2={percent(mark)} className="stroke-line" />
          ))}
          <Steps points={cutAt(points, at)} className="stroke-accent" />
          <Steps points={cutFrom(points, at)} className="stroke-(--border-strong)" isToCome />
          <line
            x1={percent(at.x)}
            x2={percent(at.x)}
            y1="0"
            y2="100%"
            className="stroke-(--border-strong)"
            strokeDasharray="2 3"
          />
          <circle
            cx={percent(at.x)}
            cy={percent(at.y)}
            r="5"
            className={isHeld ? 'fill-(--red-dot) stroke-surface' : 'fill-accent stroke-surface'}
            strokeWidth="2"
          />
        </svg>
        <p
          className="absolute top-1.5 rounded-small bg-raised px-2 py-1 whitespace-nowrap shadow-popover"
          style={
            at.x > 60 ? { right: `calc(${percent(100 - at.x)} + 12px)` } : { left: `calc(${percent(at.x)} + 12px)` }
          }
        >
          <b className="block font-medium">{tip}</b>
          <span className="text-muted">Day {warmUp.day}</span>
        </p>
        {dayMarks.map((day) => (
          <span
            key={day}
            className="absolute -bottom-6 -translate-x-1/2 text-faint"
            style={{ left: percent(xOf(day)) }}
          >
            {day === 1 ? <span className="ml-5">Day 1</span> : day}
          </span>
        ))}
      </div>
    </div>
  );
}

function Steps({
  points,
  className,
  isToCome = false,
}: {
  points: readonly Point[];
  className: string;
  isToCome?: boolean;
}) {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    return (
      <line
        key={`${from.x} ${from.y} ${to.x} ${to.y}`}
        x1={percent(from.x)}
        y1={percent(from.y)}
        x2={percent(to.x)}
        y2={percent(to.y)}
        className={className}
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray={isToCome ? '1 5' : undefined}
      />
    );
  });
}

const cutAt = (points: readonly Point[], at: Point): Point[] => [...points.filter(({ x }) => x < at.x), at];

const cutFrom = (points: readonly Point[], at: Point): Point[] => [at, ...points.filter(({ x }) => x >= at.x && x > 0)];

function summary({ steps, day }: WarmUp, isHeld: boolean): string {
  const parts = steps.map(({ from_day: from, first_contacts: first }) => `${first} from day ${from}`);
  const current = steps.findLast(({ from_day: from }) => from <= day)?.first_contacts ?? 0;
  const today = isHeld ? `held at ${current} a day` : `${current} a day`;
  return `First contacts a day since linking: ${parts.join(', ')}. Today is day ${day}, ${today}.`;
}
