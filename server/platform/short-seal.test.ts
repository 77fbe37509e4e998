import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createShortSeal, shortContentBytes } from './short-seal.ts';

const key = randomBytes(32);
const content = randomBytes(shortContentBytes);

test('an address opens to what was sealed, with an old key too, and is 22 characters', () => {
  const text = createShortSeal([key], 'links').seal(content);
  expect(text).toMatch(/^[\w-]{22}$/);
  expect(createShortSeal([randomBytes(32), key], 'links').open(text)).toEqual(content);
});

test('an address of another purpose, another key, another last bit or another character opens to nothing', () => {
  const seal = createShortSeal([key], 'links');
  const text = seal.seal(content);
  expect(createShortSeal([key], 'preferences').open(text)).toBeUndefined();
  expect(createShortSeal([randomBytes(32)], 'links').open(text)).toBeUndefined();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const changed = text.split('').flatMap((old, at) =>
    alphabet
      .split('')
      .filter((other) => other !== old)
      .map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  );
  expect(changed.filter((each) => seal.open(each) !== undefined)).toEqual([]);
  expect(seal.open('')).toBeUndefined();
  expect(seal.open(`${text}A`)).toBeUndefined();
});
