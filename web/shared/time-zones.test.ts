import { expect, test } from 'vitest';
import { currentZoneName, findTimeZone, offsetOf, searchTimeZones, timeZonesAt } from './time-zones.ts';

const winter = new Date('2026-01-15T12:00:00Z');
const summer = new Date('2026-07-15T12:00:00Z');
const zones = timeZonesAt(winter);
const names = (typed: string) => searchTimeZones(zones, typed).map(({ name }) => name);

test('the list has each zone once, by the name it has today, in order', () => {
  const all = zones.map(({ name }) => name);
  expect(all).toEqual([...new Set(all)].toSorted());
  expect(all).toEqual(expect.arrayContaining(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'America/Nuuk']));
  for (const former of ['Europe/Kiev', 'Asia/Calcutta', 'America/Godthab']) expect(all).not.toContain(former);
});

test.each([
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Europe/Lisbon', 'Europe/Lisbon'],
])('%s is called %s', (name, today) => {
  expect(currentZoneName(name)).toBe(today);
});

test.each([
  ['Europe/Kyiv', winter, 'UTC+02:00'],
  ['Europe/Kyiv', summer, 'UTC+03:00'],
  ['Asia/Kathmandu', winter, 'UTC+05:45'],
  ['America/New_York', winter, 'UTC-05:00'],
  ['UTC', winter, 'UTC+00:00'],
  ['Mars/Base', winter, undefined],
])('%s on %s is at %s', (name, at, offset) => {
  expect(offsetOf(name, at)).toBe(offset);
});

test.each([
  ['kyiv', ['Europe/Kyiv']],
  ['Kiev', ['Europe/Kyiv']],
  ['new york', ['America/New_York']],
  ['+05:45', ['Asia/Kathmandu']],
  ['nowhere', []],
])('%s finds %j', (typed, found) => {
  expect(names(typed)).toEqual(found);
});

test.each([
  ['europe/kiev', 'Europe/Kyiv'],
  ['america/new york', 'America/New_York'],
  ['york', undefined],
])('%s means %s', (typed, name) => {
  expect(findTimeZone(zones, typed)?.name).toBe(name);
});
