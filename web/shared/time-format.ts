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

/** `14:08`, as the clocks of a zone show it */
export function formatTimeIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(at);
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

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const longDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const shortDate = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: '2-digit' });

/** How many midnights lie between the two, as this browser has them. */
function daysBetween(iso: string, now: number): number {
  const midnightOf = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  return Math.round((midnightOf(now) - midnightOf(Date.parse(iso))) / day);
}

/** In a list: `14:08` today, `Yesterday`, the day of the week, then `20/11/26`. */
export function formatListTime(iso: string, now: number): string {
  const days = daysBetween(iso, now);
  if (days <= 0) return formatTime(iso);
  if (days === 1) return 'Yesterday';
  return days < 7 ? weekday.format(new Date(iso)) : shortDate.format(new Date(iso));
}

/** At the head of a day: `Today`, `Yesterday`, `Wednesday 18 November`, with the year where it is another. */
export function formatDayName(iso: string, now: number): string {
  const days = daysBetween(iso, now);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const at = new Date(iso);
  return at.getFullYear() === new Date(now).getFullYear() ? longDay.format(at) : formatLongDate(iso);
}

/** A moment near today, past or to come, amid a sentence: `today, 14:08`, `tomorrow, 09:00`; else `20 Nov 2026, 14:08`. */
export function formatDayTime(iso: string, now: number): string {
  const name = { '-1': 'tomorrow', 0: 'today', 1: 'yesterday' }[daysBetween(iso, now)];
  return name === undefined ? formatDateTime(iso) : `${name}, ${formatTime(iso)}`;
}

const timeToSecond = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `14:08:32` */
export function formatTimeToSecond(iso: string): string {
  return timeToSecond.format(new Date(iso));
}
