import { expect, test } from 'vitest';
import { cleanName, cleanText, dateOfSeconds, isStorableId, storableJson } from './network-values.ts';

test.for([
  ['a plain text stays', 'Olá 👋', 100, 'Olá 👋'],
  ['NUL goes', 'a\u0000b', 100, 'ab'],
  ['half a surrogate pair becomes a replacement character', 'a\ud83d', 100, 'a\ufffd'],
  ['a long text is cut between code points', '👋👋👋', 2, '👋👋'],
  ['an absurd text is cut', 'x'.repeat(100_000), 10, 'x'.repeat(10)],
] as const)('%s', ([, text, max, expected]) => {
  expect(cleanText(text, max)).toBe(expected);
});

test('a name of nothing but NUL is none', () => {
  expect(cleanName('\u0000 ')).toBeUndefined();
});

test.for([
  ['3EB0AB12', true],
  ['', false],
  ['3EB0\u0000', false],
  ['with space', false],
  ['x'.repeat(256), false],
] as const)('id %j: storable is %s', ([id, expected]) => {
  expect(isStorableId(id)).toBe(expected);
});

test('JSON from a network is stored without what PostgreSQL takes in no text, names included', () => {
  const value = { 'a\u0000b': ['x\ud800', { c: 'y\u0000' }], d: 1, e: null, f: true };
  expect(JSON.parse(storableJson(value))).toEqual({ ab: ['x\ufffd', { c: 'y' }], d: 1, e: null, f: true });
});

const now = new Date('2026-05-01T00:00:00Z');
test.for([
  [Date.UTC(2026, 0, 1) / 1000, new Date('2026-01-01T00:00:00Z')],
  [Number.NaN, now],
  [-5, now],
  [1e18, now],
  [Number.POSITIVE_INFINITY, now],
] as const)('%s seconds are %s', ([seconds, expected]) => {
  expect(dateOfSeconds(seconds, now)).toEqual(expected);
});
