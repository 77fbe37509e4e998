import type { FlowFrequency } from '#contracts/flows.ts';
import { assertNever } from '#server/platform/errors.ts';
import { sameTimeDaysEarlier } from '#server/platform/wall-clock.ts';

const hourMs = 3_600_000;

/**
 * A profile that had the flow's message at this time or before may have it again now; undefined: never again. Hours
 * are elapsed hours; days are days of the zone's calendar, however long they were.
 */
export function frequencyCutoff(frequency: FlowFrequency, now: Date, timezone: string): Date | undefined {
  switch (frequency.type) {
    case 'lifetime':
      return undefined;
    case 'once_per_hours':
      return new Date(now.getTime() - frequency.value * hourMs);
    case 'once_per_days':
      return sameTimeDaysEarlier(now, frequency.value, timezone);
    default:
      return assertNever(frequency);
  }
}
