import { currentZoneName, ownTimeZone } from '#web/shared/time-zones.ts';

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
