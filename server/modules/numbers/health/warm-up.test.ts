import { describe, expect, test } from 'vitest';
import { allowanceDay } from './allowance-day.ts';
import { newHealth, noFates } from './health.ts';
import type { Fates, PhoneHealth } from './health.ts';
import { link, stepOfDay, warmUpTo } from './warm-up.ts';

const linkedAt = new Date('2026-01-05T15:00:00Z');
const hourMs = 60 * 60_000;

test.each([
  [1, 10, 100],
  [3, 10, 100],
  [4, 15, 200],
  [7, 15, 200],
  [8, 25, 300],
  [14, 25, 300],
  [15, 40, 500],
  [21, 40, 500],
  [22, 60, 800],
  [28, 60, 800],
  [29, 100, 1_000],
  [400, 100, 1_000],
])('on day %i a phone may write to %i first and %i known contacts', (day, first, known) => {
  expect(stepOfDay(day)).toMatchObject({ first, known });
});

const linked = link(newHealth, linkedAt, '2026-01-05');

/** So many days after linking, having sent until so many hours before. */
function after(health: PhoneHealth, days: number, { idleHours = 1, isWell = true, fates = noFates } = {}): PhoneHealth {
  const now = new Date(linkedAt.getTime() + days * 24 * hourMs);
  const idleFrom = new Date(now.getTime() - idleHours * hourMs);
  return warmUpTo({ ...health, idleFrom }, allowanceDay(now, 'UTC'), { isWell, fates });
}

const unanswered: Fates = { ...noFates, firsts: { count: 50, answered: 0 } };
const answered: Fates = { ...noFates, firsts: { count: 50, answered: 1 } };

describe('how far the warm-up comes', () => {
  test.each<[string, PhoneHealth, number]>([
    ['a day further every day', after(linked, 9), 10],
    ['no further than its end', after(linked, 59), 29],
    ['not while the phone is not well', after(linked, 9, { isWell: false }), 1],
    ['not while nobody answers', after(linked, 9, { fates: unanswered }), 1],
    ['with a single answer of 50, it does', after(linked, 9, { fates: answered }), 10],
    // Nine o'clock is six hours before the time of day at which it was linked.
    [
      '71 idle hours take nothing back',
      after({ ...linked, rampDay: 16, rampOn: '2026-01-14' }, 10, { idleHours: 77 }),
      17,
    ],
    ['72 take a step back', after({ ...linked, rampDay: 16, rampOn: '2026-01-14' }, 10, { idleHours: 78 }), 8],
    [
      'six idle days take two',
      after({ ...linked, rampDay: 16, rampOn: '2026-01-11' }, 10, { idleHours: 6 * 24 + 6 }),
      4,
    ],
  ])('%s', (_case, health, rampDay) => {
    expect(health.rampDay).toBe(rampDay);
  });

  test('asked every day or once, it is the same', () => {
    let daily = linked;
    for (let day = 1; day <= 12; day += 1) {
      daily = warmUpTo(daily, allowanceDay(new Date(linkedAt.getTime() + day * 24 * hourMs), 'UTC'), {
        isWell: true,
        fates: noFates,
      });
    }
    const once = warmUpTo(linked, allowanceDay(new Date(linkedAt.getTime() + 12 * 24 * hourMs), 'UTC'), {
      isWell: true,
      fates: noFates,
    });
    expect(once).toEqual(daily);
  });

  test.each([
    [1, 1],
    [8, 4],
    [29, 14],
  ])('linked anew on day %i it begins again on day %i', (rampDay, expected) => {
    expect(link({ ...linked, rampDay }, linkedAt, '2026-01-05').rampDay).toBe(expected);
  });
});
