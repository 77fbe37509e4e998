import type { Report } from '#contracts/reports.ts';

export type Series = 'sent' | 'delivered' | 'read' | 'replied';
export type Point = { at: number } & Record<Series, number>;

const hourMs = 3_600_000;

/** What has been reached by the end of each span, from nothing at the start on; a span in which nothing happened keeps it. */
export function cumulate({ step_hours: stepHours, spans }: Report['over_time']): Point[] {
  const [first] = spans;
  if (!first) return [];
  const points: Point[] = [{ at: Date.parse(first.at), sent: 0, delivered: 0, read: 0, replied: 0 }];
  for (const span of spans) {
    const from = Date.parse(span.at);
    const before = points.at(-1) as Point;
    if (from > before.at) points.push({ ...before, at: from });
    points.push({
      at: from + stepHours * hourMs,
      sent: before.sent + span.sent,
      delivered: before.delivered + span.delivered,
      read: before.read + span.read,
      replied: before.replied + span.replied,
    });
  }
  return points;
}
