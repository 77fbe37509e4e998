import { expect, test } from 'vitest';
import { isSameNumber } from './same-number.ts';

test.each([
  ['5511987654321', '5511987654321', true],
  ['5511987654321', '551187654321', true],
  ['5215512345678', '525512345678', true],
  ['5491123456789', '541123456789', true],
  ['5511987654321', '5511987654322', false],
  ['5511987654321', '5511887654321', false],
  ['4915112345678', '491512345678', false],
  ['12025550123', '12025550124', false],
])('%s and %s: %s', (one, other, expected) => {
  expect(isSameNumber(one, other)).toBe(expected);
  expect(isSameNumber(other, one)).toBe(expected);
});
