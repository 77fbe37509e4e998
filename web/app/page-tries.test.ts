import { beforeEach, expect, test } from 'vitest';
import { nextTry } from './page-tries.ts';

beforeEach(() => sessionStorage.removeItem('dovepost.page-tries'));

test('a page is fetched again, then the document is reloaded, then nothing happens by itself', () => {
  const tries = [0, 1000, 2000, 3000].map((now) => nextTry('/profiles', now));
  expect(tries).toEqual(['fetch', 'reload', undefined, undefined]);
});

test('another page, or the same one a good while later, is tried anew', () => {
  expect([nextTry('/profiles', 0), nextTry('/profiles', 1000)]).toEqual(['fetch', 'reload']);
  expect(nextTry('/flows', 2000)).toBe('fetch');
  expect(nextTry('/profiles', 3000)).toBe('fetch');
  expect(nextTry('/profiles', 90_000)).toBe('fetch');
});
