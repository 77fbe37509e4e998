import { formatExactTime, formatRelativeTime } from '../time-format.ts';
import { useNow } from '../use-now.ts';
import { Tooltip } from './tooltip.tsx';

const refreshMs = 15_000;

/** `5m ago`; the exact time in a tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(refreshMs);
  return (
    <Tooltip text={formatExactTime(at)}>
      <time dateTime={at} className="whitespace-nowrap tabular-nums">
        {formatRelativeTime(at, now)}
      </time>
    </Tooltip>
  );
}
