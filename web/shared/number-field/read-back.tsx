import { Check, CircleAlert, CircleHelp, TriangleAlert, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { NumberReading } from '#contracts/understand-number.ts';
import { usePhoneFormat } from '../phone-format.ts';
import { Button } from '../ui/button.tsx';
import { countryName } from './country-name.ts';
import { capital, inWords, type TypedReading } from './read-typed.ts';

type ReadBackProps = {
  id: string;
  typed: TypedReading;
  /** While it has the focus, missing digits are still to come. */
  isTyping: boolean;
  /** Said while nothing is typed. */
  expected: string | undefined;
  onChoose: (reading: NumberReading) => void;
  onOtherCountry: () => void;
};

/** The line beneath a number field: how the number is understood, and what else it may be. */
export function ReadBack({ id, ...props }: ReadBackProps) {
  return (
    <div id={id} role="status" className="text-13 empty:hidden">
      <Line {...props} />
    </div>
  );
}

function Line({ typed, isTyping, expected, onChoose, onOtherCountry }: Omit<ReadBackProps, 'id'>) {
  switch (typed.kind) {
    case 'read':
      return (
        <>
          <IconLine icon={<Check aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-green-ink" />}>
            <NumberOf reading={typed.reading} />
            {typed.isNational && (
              <>
                <span className="text-muted"> · </span>
                <button type="button" onClick={onOtherCountry} className="text-accent-ink hover:underline">
                  other country
                </button>
              </>
            )}
            {typed.left !== undefined && <span className="text-muted"> · “{typed.left}” left out</span>}
          </IconLine>
          {typed.other && <Question readings={[typed.other]} onChoose={onChoose} />}
        </>
      );
    case 'unlikely':
      return (
        <>
          <IconLine icon={<Check aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-muted" />}>
            <NumberOf reading={typed.reading} />
          </IconLine>
          <Warning>{typed.text}</Warning>
        </>
      );
    case 'short':
      if (isTyping) {
        return (
          <p className="text-muted">{`${capital(inWords(typed.missing))} more ${typed.missing === 1 ? 'digit' : 'digits'}`}</p>
        );
      }
      return <Refusal>{typed.text}</Refusal>;
    case 'asked':
      if (typed.suggestions.length > 0) return <Question readings={typed.suggestions} onChoose={onChoose} />;
      return <Warning>Not clear which country this number is of: choose it, or begin with + and its code.</Warning>;
    case 'wrong':
      return isTyping ? null : <Refusal>{typed.text}</Refusal>;
    case 'empty':
      return expected === undefined ? null : <p className="text-muted">{expected}</p>;
  }
}

function Question({ readings, onChoose }: { readings: readonly NumberReading[]; onChoose: ReadBackProps['onChoose'] }) {
  const format = usePhoneFormat();
  return (
    <IconLine icon={<CircleHelp aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-accent-ink" />}>
      Did you mean?
      <span className="mt-1.5 flex flex-wrap gap-1.5">
        {readings.map((reading) => (
          <Button key={reading.number} size="small" onClick={() => onChoose(reading)}>
            <span dir="ltr">{format(reading.number)}</span>
            {reading.country !== null && `(${countryName(reading.country)})`}
          </Button>
        ))}
      </span>
    </IconLine>
  );
}

function NumberOf({ reading: { number, country } }: { reading: NumberReading }) {
  const format = usePhoneFormat();
  return (
    <>
      <b dir="ltr" className="font-medium tabular-nums">
        {format(number)}
      </b>
      {country !== null && ` (${countryName(country)})`}
    </>
  );
}

type WarningProps = { icon?: LucideIcon; className?: string; children: ReactNode };

const Warning = ({ icon: Icon = TriangleAlert, className = 'text-yellow-ink', children }: WarningProps) => (
  <p className={clsx('flex gap-1.5', className)}>
    <Icon aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </p>
);

/** Of a number that cannot be sent to as it stands. */
const Refusal = ({ children }: { children: ReactNode }) => (
  <Warning icon={CircleAlert} className="text-red-ink">
    {children}
  </Warning>
);

const IconLine = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex gap-1.5">
    {icon}
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </p>
);
