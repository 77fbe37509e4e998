import { expect, test } from 'vitest';
import { dailyAt, everyMinutes, hourlyAt, nextRoundAt, retryAt } from './rounds.ts';

const at = (text: string) => new Date(`2026-03-28T${text}Z`).getTime();

test.each([
  ['every five minutes', everyMinutes(5), '10:02:13', '10:05:00'],
  ['one that is now was this round', everyMinutes(5), '10:05:00', '10:10:00'],
  ['hourly, later this hour', hourlyAt(33), '10:02:13', '10:33:00'],
  ['hourly, the next hour', hourlyAt(33), '10:33:00', '11:33:00'],
  ['daily, later today', dailyAt(3, 57), '03:56:59', '03:57:00'],
])('the next round: %s', (_case, rounds, now, expected) => {
  expect(new Date(nextRoundAt(rounds, at(now)))).toEqual(new Date(at(expected)));
});

test('the next round: daily, tomorrow', () => {
  expect(new Date(nextRoundAt(dailyAt(2, 47), at('02:47:00')))).toEqual(new Date('2026-03-29T02:47:00Z'));
});

test.each([
  ['the first failure', 1, '10:01:00'],
  ['the third', 3, '10:04:00'],
  ['many failures: with the next round', 9, '10:33:00'],
])('a retry after %s', (_case, failures, expected) => {
  expect(new Date(retryAt(hourlyAt(33), failures, at('10:00:00')))).toEqual(new Date(at(expected)));
});
