import type { Flow } from '#contracts/flows.ts';
import { formatTime } from '#web/shared/time-format.ts';

/** The last error of a flow with the time of the next try; undefined while all is well. */
export function lastErrorText({ last_error: error, next_try_at: next }: Flow): string | undefined {
  if (error === null) return undefined;
  const sentence = /[.!?]$/.test(error) ? error : `${error}.`;
  return next === null ? sentence : `${sentence} It tries again at ${formatTime(next)}.`;
}
