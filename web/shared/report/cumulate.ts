import type { Report } from '#contracts/reports.ts';

export type Series = 'sent' | 'delivered' | 'read' | 'replied';
export type Point = { at: number } & Record<Series, number>;

const hourMs = 3_600_000;
const minuteMs = 60_000;

type Growth = Pick<Report, 'as_of' | 'over_time' | 'by_minute'>;
type Step = { from: number; until: number } & Record<Series, number>;

/**
 * Cumulative counts by the end of each span, starting from zero; a span without events keeps the value before. No span
 * ends later than the report was made. Sending is told by the minute where it can be.
 */
export function cumulate({ as_of: asOf, over_time: overTime, by_minute: byMinute }: Growth): Point[] {
  const now = Date.parse(asOf);
  const stepMs = overTime.step_hours * hourMs;
  const hours = overTime.spans.map((span) => ({
    ...span,
    from: Date.parse(span.at),
    until: Date.parse(span.at) + stepMs,
  }));
  if (byMinute === null) return added(hours, now);
  const minutes = byMinute.spans.map((span) => ({
    ...span,
    from: Date.parse(span.at),
    until: Date.parse(span.at) + byMinute.step_minutes * minuteMs,
  }));
  const until = Date.parse(byMinute.ends_at);
  // Hours count what the minutes within them do, too: they go on where one of them ends after the minutes.
  const later = added(hours, now).filter(({ at }) => at > until);
  return [...added(minutes, Math.min(now, until)), ...later];
}

function added(steps: readonly Step[], latest: number): Point[] {
  const [first] = steps;
  if (!first) return [];
  const points: Point[] = [{ at: Math.min(first.from, latest), sent: 0, delivered: 0, read: 0, replied: 0 }];
  for (const step of steps) {
    const before = points.at(-1) as Point;
    if (step.from > before.at) points.push({ ...before, at: Math.min(step.from, latest) });
    points.push({
      at: Math.min(step.until, latest),
      sent: before.sent + step.sent,
      delivered: before.delivered + step.delivered,
      read: before.read + step.read,
      replied: before.replied + step.replied,
    });
  }
  return points;
}
