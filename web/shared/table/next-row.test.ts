import { expect, test } from 'vitest';
import { nextRow } from './next-row.ts';

test.each([
  ['ArrowDown', 4, 5],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 4, 3],
  ['ArrowUp', 0, 0],
  ['PageDown', 4, 7],
  ['PageDown', 8, 9],
  ['PageUp', 4, 1],
  ['Home', 4, 0],
  ['End', 4, 9],
  ['Tab', 4, undefined],
])('%s at %d', (key, at, next) => {
  expect(nextRow(key, { at, count: 10, pageRows: 3 })).toBe(next);
});
