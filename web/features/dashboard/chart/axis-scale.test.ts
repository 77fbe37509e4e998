import { expect, test } from 'vitest';
import { axisScale } from './axis-scale.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [9, [0, 5, 10]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [90, [0, 25, 50, 75, 100]],
  [1821, [0, 500, 1000, 1500, 2000]],
  [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
])('up to %i', (maximum, marks) => {
  expect(axisScale(maximum)).toEqual({ end: marks.at(-1), marks });
});
