import { clsx } from 'clsx';
import { usageColor, usagePercent, type UsageColor } from '../daily-usage.ts';

const inks: Record<UsageColor, string> = { green: 'text-green-ink', yellow: 'text-yellow-ink', red: 'text-red-ink' };
const fills: Record<UsageColor, string> = { green: 'bg-green-dot', yellow: 'bg-yellow-dot', red: 'bg-red-dot' };

/** `maximum`: null where there is none. */
type UsageProps = { count: number; maximum: number | null };

/** `812 / 1,000`, as near to the maximum as its colour says; `812` where there is none. */
export function UsageCount({ count, maximum }: UsageProps) {
  if (maximum === null) return <span className="font-semibold">{count.toLocaleString('en')}</span>;
  return (
    <>
      <span className={clsx('font-semibold', inks[usageColor(count, maximum)])}>{count.toLocaleString('en')}</span> /{' '}
      {maximum.toLocaleString('en')}
    </>
  );
}

/** The same as a bar; hide it from screen readers beside the count. */
export function UsageBar({ count, maximum }: UsageProps) {
  if (maximum === null) return null;
  return (
    <span className="block h-1 overflow-hidden rounded-full bg-gray-wash">
      <span
        className={clsx('block h-full', fills[usageColor(count, maximum)])}
        style={{ width: `${usagePercent(count, maximum)}%` }}
      />
    </span>
  );
}
