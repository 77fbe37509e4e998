const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const medium = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A calendar day, wherever it is, read as if it were in UTC. */
const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

/** `18 Nov` for `2026-11-18` */
export function shortDay(date: string): string {
  return short.format(dayOf(date));
}

/** `Wed 18 November` for `2026-11-18` */
export function mediumDay(date: string): string {
  return medium.format(dayOf(date)).replace(',', '');
}

/** `Wednesday 18 November` for `2026-11-18` */
export function longDay(date: string): string {
  return long.format(dayOf(date));
}
