import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

type TrendProps = {
  /** 0.124 is 12.4% more. */
  growth: number;
  /** The period compared with: `the 7 days before`. */
  than: string;
};

/** An arrow, a percentage and a word for the way it goes: never the colour alone. */
export function Trend({ growth, than }: TrendProps) {
  const size = percent.format(Math.abs(growth));
  if (size === '0%') return <>Like {than}</>;
  const isMore = growth > 0;
  const Arrow = isMore ? ArrowUp : ArrowDown;
  return (
    <>
      <span
        className={clsx(
          'inline-flex items-center gap-0.5 align-bottom font-medium whitespace-nowrap',
          isMore ? 'text-green-ink' : 'text-red-ink',
        )}
      >
        <Arrow aria-hidden="true" strokeWidth={2.25} className="size-3" />
        {size} {isMore ? 'more' : 'fewer'}
      </span>{' '}
      than {than}
    </>
  );
}
