import { expect, test } from 'vitest';
import { usageColor, usagePercent } from './daily-usage.ts';

test.each([
  [0, 1000, 'green'],
  [699, 1000, 'green'],
  [700, 1000, 'yellow'],
  [899, 1000, 'yellow'],
  [900, 1000, 'red'],
  [1000, 1000, 'red'],
  [1001, 1000, 'red'],
  [0, 1, 'green'],
  [1, 1, 'red'],
])('%i of %i today is %s', (count, maximum, expected) => {
  expect(usageColor(count, maximum)).toBe(expected);
});

test('the bar is never longer than its track', () => {
  expect(usagePercent(61, 100)).toBe(61);
  expect(usagePercent(120, 100)).toBe(100);
});
