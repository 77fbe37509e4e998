import { expect, test } from 'vitest';
import { toInstant, toWallTime } from './zoned-time.ts';

test.each([
  ['2026-11-24T09:00', 'UTC', '2026-11-24T09:00:00.000Z'],
  ['2026-07-24T09:00', 'Europe/Lisbon', '2026-07-24T08:00:00.000Z'],
  ['2026-01-24T09:00', 'Europe/Lisbon', '2026-01-24T09:00:00.000Z'],
  ['2026-11-24T23:30', 'America/Sao_Paulo', '2026-11-25T02:30:00.000Z'],
  ['2026-11-24T00:30', 'Pacific/Kiritimati', '2026-11-23T10:30:00.000Z'],
  ['2026-11-24T09:00', 'Asia/Kathmandu', '2026-11-24T03:15:00.000Z'],
  // Berlin's clocks go from 2:00 to 3:00 on 29 March and from 3:00 back to 2:00 on 25 October.
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:30', 'Europe/Berlin', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
])('%s in %s is %s, and back', (wallTime, zone, instant) => {
  expect(toInstant(wallTime, zone)).toBe(instant);
  expect(toWallTime(instant, zone)).toBe(wallTime);
});

test('a time that clocks skip is as long after the gap', () => {
  expect(toInstant('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

test('a time that clocks show twice is the first one', () => {
  expect(toInstant('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
});

test.each(['', 'tomorrow', '2026-13-01T00:00'])('%j is no time', (text) => {
  expect(toInstant(text, 'UTC')).toBeUndefined();
});
