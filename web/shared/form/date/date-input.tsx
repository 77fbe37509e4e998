import { clsx } from 'clsx';
import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState, type ComponentProps } from 'react';
import { controlClass } from '../control-class.ts';
import { Calendar } from './calendar.tsx';
import { dayAt, firstPart, formatDay, readDay, speakDay, type Day } from './read-date.ts';

type DateInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'size' | 'min'> & {
  /** `2026-11-20`; '' while there is none, or it cannot be read. */
  value: Day;
  /** `time` where what was typed or pasted ends with one: `2026-11-20T09:00`. */
  onChange: (day: Day, time?: string) => void;
  size?: 'small' | 'base';
  /** The zone whose day is today; the reader's own unless it is named. */
  timeZone?: string | undefined;
  earliest?: Day | undefined;
};

const placeholders = { day: 'dd/mm/yyyy', month: 'mm/dd/yyyy', year: 'yyyy/mm/dd' } as const;

/** A day, typed as the reader writes it or chosen from a calendar; shown with the month in letters. */
export function DateInput(props: DateInputProps) {
  const { value, onChange, size = 'base', timeZone, earliest, className, disabled, onBlur, ...inputProps } = props;
  const readBackId = useId();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(() => (value === '' ? '' : formatDay(value)));
  const [sent, setSent] = useState(value);
  const [isTyping, setTyping] = useState(false);
  const [today] = useState(() => dayAt(new Date(), timeZone));
  const first = firstPart(navigator.language);
  // The form was given another day than this field gave it.
  if (value !== sent) {
    setSent(value);
    setText(value === '' ? '' : formatDay(value));
  }
  const read = readDay(text, { today, first });
  const isUnread = text.trim() !== '' && read === undefined && !isTyping;

  function change(next: string): void {
    const day = readDay(next, { today, first }) ?? '';
    setText(next);
    setSent(day);
    onChange(day, /^\d{4}-.*[t ](\d{1,2}:\d{2})$/i.exec(next.trim())?.[1]);
  }

  return (
    <span className={clsx('relative grid min-w-0 gap-1', className)}>
      <span className="relative block">
        <input
          placeholder={placeholders[first]}
          {...inputProps}
          type="text"
          autoComplete="off"
          disabled={disabled}
          value={text}
          aria-invalid={inputProps['aria-invalid'] ?? (isUnread || undefined)}
          aria-describedby={clsx(inputProps['aria-describedby'], readBackId)}
          onChange={({ target }) => {
            setTyping(true);
            change(target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || !event.altKey) return;
            event.preventDefault();
            setOpen(true);
          }}
          onBlur={(event) => {
            // A line that goes while the form is submitted would move its button from under the pointer.
            const next = event.relatedTarget;
            if (!(next instanceof HTMLButtonElement && next.type === 'submit')) setTyping(false);
            if (read !== undefined) setText(formatDay(read));
            onBlur?.(event);
          }}
          className={clsx(
            controlClass,
            'pr-9 tabular-nums',
            size === 'small' ? 'h-(--control-small) px-2.5 text-13' : 'h-(--control) px-3',
          )}
        />
        <Popover.Root open={isOpen} onOpenChange={setOpen}>
          <Popover.Trigger asChild>
            <button
              type="button"
              disabled={disabled}
              aria-label={`Choose from a calendar${inputProps['aria-label'] === undefined ? '' : `: ${inputProps['aria-label']}`}`}
              className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-r-base text-muted not-disabled:hover:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
            >
              <CalendarDays aria-hidden="true" className="size-4" />
            </button>
          </Popover.Trigger>
          {/* Beside the field, not in a portal: what belongs to a dialog stays in it. */}
          <Popover.Content
            align="end"
            sideOffset={4}
            collisionPadding={8}
            onOpenAutoFocus={(event) => event.preventDefault()}
            aria-label="Calendar"
            className="z-60 w-74 max-w-[calc(100vw-2rem)] animate-fade-in rounded-base bg-raised p-2.5 shadow-popover"
          >
            <Calendar
              chosen={value === '' ? undefined : value}
              today={today}
              earliest={earliest}
              onChoose={(day) => {
                setTyping(false);
                change(formatDay(day));
                setOpen(false);
              }}
            />
          </Popover.Content>
        </Popover.Root>
      </span>
      <span id={readBackId} role="status" className="text-12 text-muted empty:hidden">
        {isUnread && <span className="text-red-ink">Not a day: try {formatDay(today)}</span>}
        {isTyping && read !== undefined && speakDay(read)}
      </span>
    </span>
  );
}
