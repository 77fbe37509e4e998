const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

function partsOf(now: Date, timeZone: string): Record<string, string> {
  return Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
}

/** The calendar day in a time zone, as YYYY-MM-DD. */
export function localDay(now: Date, timeZone: string): string {
  const { year, month, day } = partsOf(now, timeZone);
  return `${year}-${month}-${day}`;
}

/** Seconds until the clock on the wall reads midnight; off by the shift on a day that changes it. */
export function secondsUntilMidnight(now: Date, timeZone: string): number {
  const { hour, minute, second } = partsOf(now, timeZone);
  return 86_400 - (Number(hour) * 3600 + Number(minute) * 60 + Number(second));
}
