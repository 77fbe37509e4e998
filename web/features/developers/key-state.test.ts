import { expect, test } from 'vitest';
import { keyState } from './key-state.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const at = (days: number) => new Date(now + days * 86_400_000).toISOString();

test.each([
  ['that never ends is active', null, null, 'Active'],
  ['that ends in a month is active', at(30), null, 'Active'],
  ['that ends in six days says so', at(6), null, 'Expires soon'],
  ['that has another in its place is rotating out', at(1), at(-1), 'Rotating out'],
  ['that has ended is expired, replaced or not', at(-1), at(-2), 'Expired'],
])('a key %s', (_name, expires_at, replaced_at, word) => {
  expect(keyState({ expires_at, replaced_at }, now).word).toBe(word);
});
