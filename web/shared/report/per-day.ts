import type { Report } from '#contracts/reports.ts';
import type { Series } from './cumulate.ts';

/** `day` as `2026-11-18`, in this browser's time. */
export type Day = { day: string } & Record<Series, number>;

/** A longer report begins later, so that its days can be told apart. */
const mostDays = 60;

/** The counts of each day from the first to the last with any, up to sixty of the last. */
export function perDay({ spans }: Report['over_time']): Day[] {
  const days = new Map<string, Day>();
  for (const { at, ...counts } of spans) {
    const day = dayOf(new Date(at));
    const before = days.get(day) ?? { day, sent: 0, delivered: 0, read: 0, replied: 0 };
    days.set(day, {
      day,
      sent: before.sent + counts.sent,
      delivered: before.delivered + counts.delivered,
      read: before.read + counts.read,
      replied: before.replied + counts.replied,
    });
  }
  return namesFrom(spans).map((day) => days.get(day) ?? { day, sent: 0, delivered: 0, read: 0, replied: 0 });
}

function namesFrom(spans: Report['over_time']['spans']): string[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  const until = dayOf(new Date(last.at));
  const names: string[] = [];
  // At noon, which every day has, whatever the clocks do.
  const at = new Date(new Date(first.at).setHours(12, 0, 0, 0));
  while (dayOf(at) <= until) {
    names.push(dayOf(at));
    at.setDate(at.getDate() + 1);
  }
  return names.slice(-mostDays);
}

function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
