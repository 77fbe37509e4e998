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

/** The first of so many days up to `to`, both as `2026-11-18`. */
export function firstDay(to: string, days: number): string {
  const day = new Date(`${to}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days + 1);
  return day.toISOString().slice(0, 10);
}
