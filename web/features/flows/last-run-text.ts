const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const month = 30 * day;
const year = 365 * day;

const buckets: readonly { unit: string; ms: number }[] = [
  { unit: 'y', ms: year },
  { unit: 'mo', ms: month },
  { unit: 'd', ms: day },
  { unit: 'h', ms: hour },
  { unit: 'm', ms: minute },
];

/** `just now`, `40s ago`, `5m ago`, `3h ago`, `29d ago`, `11mo ago`, `2y ago`. */
export function lastRunText(iso: string, now: number): string {
  const elapsed = now - Date.parse(iso);
  if (elapsed < 5 * second) return 'just now';
  const { unit, ms } = buckets.find((bucket) => elapsed >= bucket.ms) ?? { unit: 's', ms: second };
  return `${Math.floor(elapsed / ms)}${unit} ago`;
}
