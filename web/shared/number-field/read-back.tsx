import { Check, CircleHelp, TriangleAlert } from 'lucide-react';
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
  onChoose: (reading: NumberReading) => void;
  onOtherCountry: () => void;
};

/** The line beneath a number field: how the number is understood, and what else it may be. */
export function ReadBack({ id, typed, isTyping, onChoose, onOtherCountry }: ReadBackProps) {
  return (
    <div id={id} role="status" className="text-13 empty:hidden">
      <Line typed={typed} isTyping={isTyping} onChoose={onChoose} onOtherCountry={onOtherCountry} />
    </div>
  );
}

function Line({ typed, isTyping, onChoose, onOtherCountry }: Omit<ReadBackProps, 'id'>) {
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
      return <Warning>{typed.text}</Warning>;
    case 'asked':
      if (typed.suggestions.length > 0) return <Question readings={typed.suggestions} onChoose={onChoose} />;
      return <Warning>Not clear which country this number is of: choose it, or begin with + and its code.</Warning>;
    case 'wrong':
      return isTyping ? null : <Warning>{typed.text}</Warning>;
    case 'empty':
      return null;
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

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-1.5 text-yellow-ink">
    <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </p>
);

const IconLine = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex gap-1.5">
    {icon}
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </p>
);
