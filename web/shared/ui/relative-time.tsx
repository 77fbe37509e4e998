import { formatExactTime, formatRelativeTime } from '../time-format.ts';
import { useNow } from '../use-now.ts';
import { Tooltip } from './tooltip.tsx';

const refreshMs = 15_000;

type RelativeTimeProps = { at: string; format?: (iso: string, now: number) => string };

/** `5m ago`; the exact time in a tooltip. */
export function RelativeTime({ at, format = formatRelativeTime }: RelativeTimeProps) {
  const now = useNow(refreshMs);
  return (
    <Tooltip text={formatExactTime(at)}>
      <time dateTime={at} className="whitespace-nowrap tabular-nums">
        {format(at, now)}
      </time>
    </Tooltip>
  );
}
