import { expect, test } from 'vitest';
import { monthsLater } from './months-later.ts';

test.each([
  ['2026-01-15T10:30:00.000Z', 1, '2026-02-15T10:30:00.000Z'],
  ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
  ['2026-01-31T00:00:00.000Z', 2, '2026-03-31T00:00:00.000Z'],
  ['2028-01-30T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 2, '2027-02-28T23:59:59.999Z'],
  ['2026-05-31T00:00:00.000Z', 12, '2027-05-31T00:00:00.000Z'],
])('%s and %i months make %s', (start, months, end) => {
  expect(monthsLater(new Date(start), months).toISOString()).toBe(end);
});
