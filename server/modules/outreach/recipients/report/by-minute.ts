import type { Report } from '#contracts/reports.ts';
import type { OutcomeMinute } from '#server/modules/outreach/outcomes/index.ts';

type Minutes = {
  minutes: readonly OutcomeMinute[];
  failures: readonly { at: Date | null; count: number }[];
  /** As the source counts them: what the minutes do not add up to is not shown by them. */
  sent: number;
  failed: number;
  asOf: Date;
};

type Span = NonNullable<Report['by_minute']>['spans'][number];

const minuteMs = 60_000;
const dayMs = 86_400_000;
const steps = [1, 2, 5, 10, 15] as const;
const mostSpans = 120;
const leastTailMs = 3 * minuteMs;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Undefined in spans in which nothing happened yet. */
const emptySpan = (at: string): Span => ({ at, sent: 0, failed: 0, delivered: 0, read: 0, replied: 0 });

/** The time of sending in spans of whole minutes; null where it took more than a day, or minutes are missing. */
export function byMinute({ minutes, failures, sent, failed, asOf }: Minutes): Report['by_minute'] {
  const failedAt = failures.flatMap(({ at, count }) => (at === null ? [] : [{ at, count }]));
  if (sum(minutes.map((minute) => minute.sent)) !== sent || sum(failedAt.map(({ count }) => count)) !== failed) {
    return null;
  }
  const active = [...minutes.filter((minute) => minute.sent > 0), ...failedAt].map(({ at }) => at.getTime());
  if (active.length === 0) return null;
  const first = Math.min(...active);
  const last = Math.max(...active) + minuteMs;
  if (last - first > dayMs) return null;
  const until = Math.min(last + Math.max(leastTailMs, (last - first) / 10), asOf.getTime());
  const stepMinutes = steps.find((step) => (until - first) / (step * minuteMs) <= mostSpans) ?? 15;
  const stepMs = stepMinutes * minuteMs;
  const spans = new Map<number, Span>();
  const spanOf = (at: Date) => {
    const index = Math.floor((at.getTime() - first) / stepMs);
    const span = spans.get(index) ?? emptySpan(new Date(first + index * stepMs).toISOString());
    spans.set(index, span);
    return span;
  };
  for (const minute of minutes) {
    if (minute.at.getTime() < first || minute.at.getTime() >= until) continue;
    const span = spanOf(minute.at);
    span.sent += minute.sent;
    span.delivered += minute.delivered;
    span.read += minute.read;
    span.replied += minute.replied;
  }
  for (const { at, count } of failedAt) spanOf(at).failed += count;
  return {
    step_minutes: stepMinutes,
    starts_at: new Date(first).toISOString(),
    ends_at: new Date(until).toISOString(),
    spans: [...spans].toSorted(([a], [b]) => a - b).map(([, span]) => span),
  };
}
