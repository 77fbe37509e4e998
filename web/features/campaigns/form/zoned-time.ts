import * as Calendar from 'temporal-polyfill/fns/Calendar';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** `2026-11-24T09:00`, as a date and time field has it. */
type WallTime = string;

/** The wall time of an instant in a zone. */
export function toWallTime(iso: string, zone: string): WallTime {
  const shown = ZonedDateTime.toPlainDateTime(Instant.toZonedDateTimeISO(Instant.fromString(iso), zone));
  return PlainDateTime.toString(shown, { smallestUnit: 'minute' });
}

/**
 * The instant at which the clocks of a zone show a wall time: the earlier one where they show it twice, the moment as
 * long after the gap where they skip it. Undefined for what is no wall time.
 */
export function toInstant(wallTime: WallTime, zone: string): string | undefined {
  try {
    const shown = PlainDateTime.toZonedDateTime(PlainDateTime.fromString(wallTime, Calendar.getISO), zone);
    return new Date(shown.epochMilliseconds).toISOString();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
