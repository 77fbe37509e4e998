const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const longDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `20 Nov 2026` */
export function formatDate(iso: string): string {
  return date.format(new Date(iso));
}

/** `20 November 2026` */
export function formatLongDate(iso: string): string {
  return longDate.format(new Date(iso));
}

/** `20 Nov 2026, 14:08` */
export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** `14:08` */
export function formatTime(iso: string): string {
  return time.format(new Date(iso));
}

/** To the second, with the zone. */
export function formatExactTime(iso: string): string {
  return exact.format(new Date(iso));
}

/** `just now`, `40s ago`, `5m ago`, `3h ago`, `6d ago`; the date after seven days. */
export function formatRelativeTime(iso: string, now: number): string {
  const elapsed = now - Date.parse(iso);
  if (elapsed < 5 * second) return 'just now';
  if (elapsed < minute) return `${Math.floor(elapsed / second)}s ago`;
  if (elapsed < hour) return `${Math.floor(elapsed / minute)}m ago`;
  if (elapsed < day) return `${Math.floor(elapsed / hour)}h ago`;
  if (elapsed < 7 * day) return `${Math.floor(elapsed / day)}d ago`;
  return formatDate(iso);
}
