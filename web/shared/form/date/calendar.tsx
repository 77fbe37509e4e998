import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { addDays, addMonths, speakDay, weeksOf, weekStart, type Day } from './read-date.ts';

type CalendarProps = {
  chosen: Day | undefined;
  today: Day;
  /** Days before cannot be chosen. */
  earliest?: Day | undefined;
  onChoose: (day: Day) => void;
};

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekdayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

/** A month whose days are walked by arrow keys; Page Up and Down turn the months, with Shift the years. */
export function Calendar({ chosen, today, earliest, onChoose }: CalendarProps) {
  const [active, setActive] = useState(chosen ?? today);
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(true);
  const begin = weekStart(navigator.language);
  const weeks = weeksOf(active, begin);

  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active]);

  function handleKey(event: KeyboardEvent): void {
    const next = stepped(event, active, begin);
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setActive(next);
  }

  const month = monthName.format(new Date(`${active}T00:00Z`));
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-2">
        <IconButton
          label="Month before"
          icon={<ChevronLeft className="size-4" />}
          onClick={() => setActive(addMonths(active, -1))}
        />
        <p aria-live="polite" className="text-13 font-medium">
          {month}
        </p>
        <IconButton
          label="Next month"
          icon={<ChevronRight className="size-4" />}
          onClick={() => setActive(addMonths(active, 1))}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells are walked by keys */}
      <table ref={grid} role="grid" aria-label={month} onKeyDown={handleKey} className="w-full border-collapse">
        <thead>
          <tr>
            {weeks[0]?.map((day) => {
              const name = weekdayName.format(new Date(`${day}T00:00Z`));
              return (
                <th key={day} scope="col" abbr={name} className="h-8 text-center text-12 font-regular text-muted">
                  {name.slice(0, 2)}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} aria-selected={day === chosen} className="p-0">
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === active ? 0 : -1}
                    aria-label={speakDay(day)}
                    aria-current={day === today ? 'date' : undefined}
                    disabled={earliest !== undefined && day < earliest && day !== active}
                    aria-disabled={earliest !== undefined && day < earliest ? true : undefined}
                    onClick={() => {
                      if (earliest === undefined || day >= earliest) onChoose(day);
                    }}
                    className={clsx(
                      'mx-auto flex size-9 items-center justify-center rounded-base text-13 tabular-nums',
                      'focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus',
                      day === chosen
                        ? 'bg-accent font-medium text-on-accent'
                        : 'not-disabled:hover:bg-hover disabled:text-faint aria-disabled:text-faint',
                      day !== chosen && day.slice(0, 7) !== active.slice(0, 7) && 'text-muted',
                      day === today && day !== chosen && 'font-semibold text-accent-ink',
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Button size="small" variant="ghost" onClick={() => onChoose(today)}>
        Today
      </Button>
    </div>
  );
}

/** The day that a key leads to; undefined for keys that lead nowhere. */
function stepped({ key, shiftKey }: KeyboardEvent, day: Day, begin: number): Day | undefined {
  const weekday = new Date(`${day}T00:00Z`).getUTCDay() || 7;
  const place = (weekday - begin + 7) % 7;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -place);
    case 'End':
      return addDays(day, 6 - place);
    case 'PageUp':
      return addMonths(day, shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(day, shiftKey ? 12 : 1);
    default:
      return undefined;
  }
}
