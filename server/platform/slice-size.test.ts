import { expect, test } from 'vitest';
import { nextSliceSize } from './slice-size.ts';

test.each<[string, number, number, number]>([
  ['takes what it may: the same', 20_000, 250, 20_000],
  ['is a little slow: a little less', 20_000, 312.5, 16_000],
  ['is quick: twice as much at the most', 20_000, 0, 40_000],
  ['is very slow: half as much at the least', 20_000, 60_000, 10_000],
  ['is slow, and small already: no smaller', 2_000, 60_000, 2_000],
  ['is quick, and large already: no larger', 200_000, 1, 200_000],
])('a slice that %s', (_case, size, tookMs, expected) => {
  expect(nextSliceSize(size, tookMs)).toBe(expected);
});
