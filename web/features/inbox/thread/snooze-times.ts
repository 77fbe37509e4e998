export type SnoozeTime = { label: string; at: Date };

const morning = 9;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** The times that are offered for a conversation to come back, in the zone of the browser, each once. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const later = new Date(now.getTime() + 3 * 3_600_000);
  const tomorrow = morningAfter(now, 1);
  const monday = morningAfter(now, (8 - now.getDay()) % 7 || 7);
  const nextWeek = morningAfter(now, 7);
  const times = [
    { label: `In 3 hours, ${time.format(later)}`, at: later },
    { label: `Tomorrow morning, ${day.format(tomorrow)}`, at: tomorrow },
    { label: `Monday, ${date.format(monday)}`, at: monday },
    { label: `Next week, ${date.format(nextWeek)}`, at: nextWeek },
  ];
  return times.filter(({ at }, index) => times.findIndex((other) => other.at.getTime() === at.getTime()) === index);
}

const morningAfter = (now: Date, days: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning);
