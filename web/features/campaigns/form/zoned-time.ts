import { currentZoneName, ownTimeZone } from '#web/shared/time-zones.ts';

const minuteMs = 60_000;

/** `2026-11-24T09:00`, as a date and time field has it. */
type WallTime = string;

const partsFormats = new Map<string, Intl.DateTimeFormat>();

/** The offset of a zone at an instant, rounded to minutes. */
function offsetMs(instant: number, zone: string): number {
  return Date.parse(`${wallTimeIn(instant, zone)}:00Z`) - Math.floor(instant / minuteMs) * minuteMs;
}

function wallTimeIn(instant: number, zone: string): WallTime {
  let format = partsFormats.get(zone);
  if (format === undefined) {
    const digits = '2-digit';
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
    });
    partsFormats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const year = parts.get('year')?.padStart(4, '0');
  return `${year}-${parts.get('month')}-${parts.get('day')}T${parts.get('hour')}:${parts.get('minute')}`;
}

/** The wall time of an instant in a zone. */
export function toWallTime(iso: string, zone: string): WallTime {
  return wallTimeIn(Date.parse(iso), zone);
}

/**
 * The instant at which the clocks of a zone show a wall time: the earlier one where they show it twice, the moment as
 * long after the gap where they skip it. Undefined for what is no wall time.
 */
export function toInstant(wallTime: WallTime, zone: string): string | undefined {
  const asUtc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const dayMs = 24 * 60 * minuteMs;
  // A change of the clocks within a day shows as two offsets; the one before it gives the earlier instant.
  const candidates = [asUtc - dayMs, asUtc + dayMs].map((near) => asUtc - offsetMs(near, zone));
  const match = candidates.find((instant) => wallTimeIn(instant, zone) === wallTime.slice(0, 16));
  const instant = match ?? candidates[0];
  return instant === undefined ? undefined : new Date(instant).toISOString();
}

/** `24 Nov 2026, 09:00`; with the zone's name where it is not the reader's own. */
export function formatInZone(iso: string, zone: string | undefined): string {
  const own = ownTimeZone();
  const shown = currentZoneName(zone ?? own);
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: shown,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(iso));
  return shown === own ? text : `${text} (${shown})`;
}
