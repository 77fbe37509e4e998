const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** `Tuesday 24 November 2026`, as it is where the reader lives. */
export function writeDay(at: Date, timezone: string): string {
  return `${write(at, timezone, { weekday: 'long' })} ${write(at, timezone, date)}`;
}

/** `24 November 2026, 14:05 (Europe/Lisbon)` */
export function writeTime(at: Date, timezone: string): string {
  const time = write(at, timezone, { hour: '2-digit', minute: '2-digit' });
  return `${write(at, timezone, date)}, ${time} (${timezone.replaceAll('_', ' ')})`;
}

function write(at: Date, timezone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timezone }).format(at);
}
