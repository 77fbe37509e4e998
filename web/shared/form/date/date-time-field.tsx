import { clsx } from 'clsx';
import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { controlClass } from '../control-class.ts';
import { Field, type FieldTexts } from '../field.tsx';
import { useFieldError, type FormOf } from '../use-zod-form.ts';
import { DateInput } from './date-input.tsx';
import { dayAt, readTime } from './read-date.ts';

type DateTimeFieldProps<T extends FieldValues> = FieldTexts & {
  form: FormOf<T>;
  /** The form's value is the wall time `2026-11-20T09:00`; '' while it is not whole. */
  name: FieldPath<T>;
  disabled?: boolean;
  /** The zone whose clocks tell it; the reader's own unless it is named. */
  timeZone?: string;
};

/** A day and a time still to come. */
export function DateTimeField<T extends FieldValues>(props: DateTimeFieldProps<T>) {
  const { form, name, disabled = false, timeZone, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const value = String(field.value);
  const [today] = useState(() => dayAt(new Date(), timeZone));
  const [sent, setSent] = useState(value);
  const [day, setDay] = useState(() => value.slice(0, 10));
  const [time, setTime] = useState(() => value.slice(11, 16));
  if (value !== sent) {
    setSent(value);
    setDay(value.slice(0, 10));
    setTime(value.slice(11, 16));
  }

  function change(nextDay: string, nextTime: string): void {
    const clock = readTime(nextTime);
    const whole = nextDay === '' || clock === undefined ? '' : `${nextDay}T${clock}`;
    setDay(nextDay);
    setTime(nextTime);
    setSent(whole);
    field.onChange(whole);
  }

  return (
    <Field {...texts} error={error}>
      {(control) => (
        <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-start gap-2">
          <DateInput
            {...control}
            ref={field.ref}
            value={day}
            onChange={(next, clock) => change(next, clock ?? time)}
            onBlur={field.onBlur}
            disabled={disabled}
            timeZone={timeZone}
            earliest={today}
          />
          <input
            type="text"
            aria-label="Time"
            aria-invalid={control['aria-invalid']}
            aria-describedby={control['aria-describedby']}
            inputMode="text"
            autoComplete="off"
            placeholder="09:00"
            disabled={disabled}
            value={time}
            onChange={({ target }) => change(day, target.value)}
            onBlur={() => {
              const clock = readTime(time);
              if (clock !== undefined && clock !== time) setTime(clock);
              field.onBlur();
            }}
            className={clsx(controlClass, 'h-(--control) px-3 tabular-nums')}
          />
        </div>
      )}
    </Field>
  );
}
