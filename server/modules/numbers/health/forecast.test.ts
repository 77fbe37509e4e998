import { describe, expect, test } from 'vitest';
import { forecastUnpaced } from './forecast-unpaced.ts';
import { forecast } from './forecast.ts';
import type { RecipientGroup } from './forecast.ts';
import { newHealth, noFates } from './health.ts';
import type { PhoneHealth } from './health.ts';
import { noHistory } from './may-send.ts';

const now = new Date('2026-01-14T10:00:00Z');
const warm = { linkedAt: new Date('2025-12-01T10:00:00Z'), rampDay: 29, rampOn: '2026-01-14', idleFrom: now };

const phone = (health: Partial<PhoneHealth> = {}, maxDaily = 1_000) => ({
  health: { ...newHealth, ...warm, ...health },
  fates: noFates,
  history: noHistory,
  maxDaily,
  startsAt: now,
});
const first = (count: number, country = 'GB'): RecipientGroup => ({ contact: 'first', country, count });
const known = (count: number): RecipientGroup => ({ contact: 'known', country: 'GB', count });
const doneAt = (phones: ReturnType<typeof phone>[], groups: RecipientGroup[]) =>
  forecast(phones, groups, { timeZone: 'UTC', now }).doneAt?.toISOString().slice(0, 13) ?? null;

describe('when all are written to', () => {
  test.each<[string, ReturnType<typeof phone>[], RecipientGroup[], string | null]>([
    ['nobody', [phone()], [], '2026-01-14T10'],
    ['30 new ones an hour', [phone()], [first(60)], '2026-01-14T11'],
    ['100 new ones a day', [phone()], [first(101)], '2026-01-15T09'],
    ['twice as many over two phones', [phone(), phone()], [first(200)], '2026-01-14T13'],
    ['200 known an hour', [phone()], [known(400)], '2026-01-14T11'],
    ['the night of the recipients', [phone()], [first(10, 'NZ')], '2026-01-14T20'],
    [
      'a phone that is limited for two days',
      [phone({ limit: { until: new Date('2026-01-16T10:00:00Z'), scope: 'all', code: 'known_refused' } })],
      [known(1)],
      '2026-01-16T10',
    ],
    ['a new phone rests for a day', [phone({ linkedAt: now, rampDay: 1 })], [first(1)], '2026-01-15T10'],
    ['and has 10 a day then', [phone({ linkedAt: now, rampDay: 1 })], [first(20)], '2026-01-16T09'],
    ['never above the daily maximum', [phone({}, 5)], [known(11)], '2026-01-16T09'],
    ['no phone', [], [known(1)], null],
    ['more than a year', [phone()], [first(50_000)], null],
    ['of many, as it went at first', [phone()], [first(30_000)], '2026-11-09T12'],
    ['countries whose day begins together', [phone()], [first(30, 'GB'), first(30, 'PT')], '2026-01-14T11'],
  ])('%s', (_case, phones, groups, expected) => {
    expect(doneAt(phones, groups)).toBe(expected);
  });
});

test('how many go on which day', () => {
  const { days, count } = forecast([phone()], [first(150)], { timeZone: 'UTC', now });
  expect([count, days]).toEqual([
    150,
    [
      { date: '2026-01-14', count: 100 },
      { date: '2026-01-15', count: 50 },
    ],
  ]);
});

describe('over phones that only the daily maximum bounds', () => {
  const at = { timeZone: 'America/New_York', now };
  test.each<[string, { maxDaily: number; used: number }[], number, string | null, number[]]>([
    ['nobody', [], 0, '2026-01-14T10', []],
    ['no phone', [], 1, null, []],
    ['all of it today', [{ maxDaily: 100, used: 40 }], 60, '2026-01-14T10', [60]],
    ['the rest from midnight on', [{ maxDaily: 100, used: 40 }], 61, '2026-01-15T05', [60, 1]],
    ['none today', [{ maxDaily: 100, used: 120 }], 150, '2026-01-16T05', [100, 50]],
    [
      'two phones',
      [
        { maxDaily: 100, used: 0 },
        { maxDaily: 50, used: 50 },
      ],
      250,
      '2026-01-15T05',
      [100, 150],
    ],
    ['more than a year', [{ maxDaily: 1, used: 0 }], 367, null, expect.any(Array) as never],
  ])('%s', (_case, phones, wanted, doneAtHour, counts) => {
    const outcome = forecastUnpaced(phones, wanted, at);
    expect(outcome.doneAt?.toISOString().slice(0, 13) ?? null).toBe(doneAtHour);
    expect(outcome.days.map(({ count }) => count)).toEqual(counts);
  });

  test.each<[string, (number | null)[], number, string]>([
    ['80 a second', [80], 288_000, '2026-01-14T11:00:00'],
    ['of two numbers together', [80, 20], 360_000, '2026-01-14T11:00:00'],
    ['1,000 a second', [1_000], 1_000_000, '2026-01-14T10:16:40'],
    ['a phone without a known throughput beside it', [80, null], 288_000, '2026-01-14T10:00:00'],
  ])('the throughput of the network counts: %s', (_case, rates, wanted, expected) => {
    const phones = rates.map((perSecond) => ({ maxDaily: 1_000_000, used: 0, perSecond }));
    const outcome = forecastUnpaced(phones, wanted, at);
    expect(outcome.doneAt?.toISOString().slice(0, 19)).toBe(expected);
  });
});
