/** The page's range and project in the URL. */
export type TimesSearch = {
  days?: 7 | 90;
  project?: number;
};

/** Without a range, the last 30 days. */
export const ranges = [7, 30, 90] as const;

/** A route's `validateSearch`: what it does not know is left out. */
export function timesSearch(search: Record<string, unknown>): TimesSearch {
  const days = ([7, 90] as const).find((known) => known === Number(search['days']));
  const project = Number(search['project']);
  return {
    ...(days && { days }),
    ...(Number.isSafeInteger(project) && project > 0 && { project }),
  };
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const;

/** `42 s`, `5 min`, `2 h 10 min`, `3 d 4 h`; a dash for none. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–';
  const first = units.findIndex((unit) => seconds >= unit.seconds);
  const [large, small] = [units[first], units[first + 1]];
  if (!large) return `${seconds} s`;
  const count = Math.floor(seconds / large.seconds);
  const rest = small ? Math.floor((seconds % large.seconds) / small.seconds) : 0;
  return rest > 0 && small ? `${count} ${large.name} ${rest} ${small.name}` : `${count} ${large.name}`;
}

/** The first of so many days up to `to`, both as `2026-11-18`. */
export function firstDay(to: string, days: number): string {
  const day = new Date(`${to}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days + 1);
  return day.toISOString().slice(0, 10);
}
