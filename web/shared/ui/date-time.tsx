import { formatDateTime, formatExactTime } from '../time-format.ts';
import { Tooltip } from './tooltip.tsx';

/** `20 Nov 2026, 14:08`; the exact time in a tooltip. */
export function DateTime({ at }: { at: string }) {
  return (
    <Tooltip text={formatExactTime(at)}>
      <time dateTime={at} className="whitespace-nowrap tabular-nums">
        {formatDateTime(at)}
      </time>
    </Tooltip>
  );
}
