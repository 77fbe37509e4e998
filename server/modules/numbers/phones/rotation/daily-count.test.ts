import { describe, expect, test } from 'vitest';
import { dayAfter, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import { messagesToday, openCount } from './daily-count.ts';
import type { DailyCount } from './daily-count.ts';

const hourMs = 3_600_000;

/** Fills a phone's day whenever it may send, in the zone that `zoneAt` says; answers when each new day began. */
function fillWhereverPossible(start: string, hours: number, zoneAt: (hour: number) => string): Date[] {
  let count: DailyCount = { count_day: null, count_ends_at: null, daily_count: 0 };
  const begun: Date[] = [];
  for (let quarter = 0; quarter < hours * 4; quarter += 1) {
    const now = new Date(Date.parse(start) + quarter * (hourMs / 4));
    const at = { now, timezone: zoneAt(Math.floor(quarter / 4)) };
    if (messagesToday(count, at) > 0) continue;
    const { day, endsAt, isNew } = openCount(count, at);
    expect(isNew).toBe(true);
    begun.push(now);
    count = { count_day: day, count_ends_at: endsAt, daily_count: 1 };
  }
  return begun;
}

const gaps = (times: readonly Date[]) =>
  times.slice(1).map((time, index) => (time.getTime() - (times[index]?.getTime() ?? 0)) / hourMs);

const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

describe('a daily maximum', () => {
  test.each<[string, (hour: number) => string]>([
    ['east and west every hour', (hour) => (hour % 2 === 0 ? east : west)],
    ['to the west and back once a day', (hour) => (hour % 24 < 12 ? 'UTC' : west)],
    ['to the east and back once a day', (hour) => (hour % 24 < 12 ? east : 'UTC')],
    ['to the east for all but three hours a day', (hour) => (hour % 24 < 3 ? 'UTC' : east)],
    ['after the midnights, round the world', (hour) => `Etc/GMT${hour % 24 < 12 ? '+' : '-'}${hour % 12}`],
  ])('moving %s gives no more days than the calendar has', (_name, zoneAt) => {
    const begun = fillWhereverPossible('2026-11-21T09:30:00Z', 240, zoneAt);
    // The first day is cut short, as anybody's is who begins in the evening; the others last.
    expect(Math.min(...gaps(begun).slice(1))).toBeGreaterThanOrEqual(23);
    expect(begun.length).toBeLessThanOrEqual(12);
  });

  test.each([
    ['America/New_York', '2026-10-30T12:00:00Z'],
    ['America/New_York', '2026-03-06T12:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T12:00:00Z'],
    ['America/Santiago', '2026-09-04T12:00:00Z'],
  ])('in %s begins anew at each midnight from %s on, whatever the clocks do', (timezone, start) => {
    const begun = fillWhereverPossible(start, 120, () => timezone);
    const midnights = begun.slice(1).map((time) => startOfLocalDay(localDay(time, timezone), timezone));
    expect(begun.slice(1)).toEqual(midnights);
    expect(begun).toHaveLength(6);
  });

  test('moving and moving back at once changes nothing', () => {
    const now = new Date('2026-11-21T10:00:00Z');
    const { day, endsAt } = openCount(
      { count_day: null, count_ends_at: null, daily_count: 0 },
      { now, timezone: 'UTC' },
    );
    const count = { count_day: day, count_ends_at: endsAt, daily_count: 5 };
    for (const timezone of [east, west, 'UTC']) expect(messagesToday(count, { now, timezone })).toBe(5);
    expect(openCount(count, { now, timezone: 'UTC' })).toEqual({
      day: '2026-11-21',
      endsAt: startOfLocalDay(dayAfter('2026-11-21'), 'UTC'),
      isNew: false,
    });
  });

  test('a count that an earlier version left ends with its day', () => {
    const count = { count_day: '2026-11-21', count_ends_at: null, daily_count: 5 };
    expect(messagesToday(count, { now: new Date('2026-11-21T23:59:59Z'), timezone: 'UTC' })).toBe(5);
    expect(messagesToday(count, { now: new Date('2026-11-22T00:00:00Z'), timezone: 'UTC' })).toBe(0);
  });
});
