import { clsx } from 'clsx';
import { useId, useState, type ComponentProps, type FocusEvent } from 'react';
import type { NumberReading } from '#contracts/understand-number.ts';
import { useNumberPlans } from '../number-plans.ts';
import { PersonInput } from '../pick/person-input.tsx';
import { useSession } from '../session.ts';
import { CountryPicker } from './country-picker.tsx';
import { namedIn, readTyped, type TypedReading } from './read-typed.ts';
import { ReadBack } from './read-back.tsx';

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'inputMode' | 'dir'> & {
  /** As it goes to the server: `+` and digits once it is understood, until then what was typed. */
  value: string;
  onChange: (value: string) => void;
  /** The account's profiles are suggested by name, email or a part of the number. */
  people?: boolean;
  /** A country that another field of the form names; `onCountry` is told of one that is chosen here. */
  country?: string | undefined;
  onCountry?: ((country: string) => void) | undefined;
};

const innerClass = 'h-full min-w-0 flex-1 border-0! bg-transparent! px-3 shadow-none! outline-0! tabular-nums';

/** A number with its flag; the line beneath reads it back, with the country and what else it may be. */
export function NumberInput(props: NumberInputProps) {
  const { value, onChange, people = false, country: named, onCountry, onBlur, className, ...inputProps } = props;
  const plans = useNumberPlans();
  const defaultCountry = useSession().user?.default_country ?? null;
  const readBackId = useId();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [picked, setPicked] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isTyping, setTyping] = useState(false);
  // The form was given another value than this field gave it: it was emptied, or filled in.
  if (value !== sent) {
    setText(value);
    setSent(value);
  }
  const chosen = named !== undefined && /^[A-Za-z]{2}$/.test(named) ? named.toUpperCase() : picked;
  const read = (typed: string, country: string | null): TypedReading =>
    plans === undefined ? { kind: 'empty' } : readTyped({ text: typed, country, defaultCountry }, plans);
  const typed = read(text, chosen);

  function change(next: string, country = chosen): void {
    const wire = wireOf(next, read(next, country));
    setText(next);
    setSent(wire);
    onChange(wire);
  }

  function choose(country: string): void {
    setPicked(country);
    onCountry?.(country);
    change(nationalText(), country);
  }

  /** A number that named its country already is read anew in the one that is chosen. */
  function nationalText(): string {
    const reading = readingOf(typed);
    return /^\s*(\+|00)/.test(text) && reading && plans ? plans.nationalOf(reading.number) : text;
  }

  const isRefused = !isTyping && (typed.kind === 'wrong' || typed.kind === 'short');
  const Input = people ? PersonInput : PlainInput;
  return (
    <span className="grid min-w-0 gap-1.5">
      <span
        className={clsx(
          'flex h-(--control) min-w-0 items-center rounded-base border bg-surface shadow-control transition-colors',
          'focus-within:border-focus focus-within:outline-3 focus-within:outline-focus/25',
          inputProps['aria-invalid'] === true || isRefused ? 'border-red-dot' : 'border-control',
          className,
        )}
      >
        {/* Before the flag, so that dialogs open with the focus in the field; it stands after it to the eye. */}
        <Input
          {...inputProps}
          aria-describedby={clsx(inputProps['aria-describedby'], readBackId)}
          type="tel"
          inputMode={people ? undefined : 'tel'}
          autoComplete="off"
          dir="ltr"
          value={text}
          onChange={(next) => {
            setTyping(true);
            change(next);
          }}
          onBlur={(event: FocusEvent<HTMLInputElement>) => {
            // A line that came while the form is submitted would move its button from under the pointer.
            const next = event.relatedTarget;
            if (!(next instanceof HTMLButtonElement && next.type === 'submit')) setTyping(false);
            if (text !== '' && wireOf(text, typed) !== sent) change(text);
            onBlur?.(event);
          }}
          className={innerClass}
        />
        <CountryPicker
          country={readingOf(typed)?.country ?? chosen ?? defaultCountry}
          defaultCountry={defaultCountry}
          isOpen={isOpen}
          onOpenChange={setOpen}
          onChoose={choose}
        />
      </span>
      <ReadBack
        id={readBackId}
        typed={typed}
        isTyping={isTyping}
        expected={inputProps['aria-describedby'] === undefined ? expectedText(chosen ?? defaultCountry) : undefined}
        onChoose={({ number }) => change(plans?.format(number) ?? `+${number}`)}
        onOtherCountry={() => setOpen(true)}
      />
    </span>
  );
}

const expectedText = (country: string | null) =>
  country === null
    ? 'With + and the country’s code'
    : `With + and its country, or as it is dialled in ${namedIn(country)}`;

type PlainInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  value: string;
  onChange: (value: string) => void;
};

const PlainInput = ({ onChange, ...props }: PlainInputProps) => (
  <input {...props} onChange={({ target }) => onChange(target.value)} />
);

const readingOf = (typed: TypedReading): NumberReading | undefined => ('reading' in typed ? typed.reading : undefined);

/** The value for the server: an unclear number goes as it was typed, and the server judges it. */
function wireOf(text: string, typed: TypedReading): string {
  const reading = readingOf(typed);
  return reading === undefined ? text : `+${reading.number}`;
}
