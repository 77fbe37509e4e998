import { describe, expect, test } from 'vitest';
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
    ['unprotected, the daily maximum alone', [phone({ isProtected: false })], [first(2_500)], '2026-01-16T10'],
  ])('%s', (_case, phones, groups, expected) => {
    expect(doneAt(phones, groups)).toBe(expected);
  });
});
