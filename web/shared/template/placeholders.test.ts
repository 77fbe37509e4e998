import { expect, test } from 'vitest';
import { pathsOf, placeholderList, placeholderOf } from './placeholders.ts';

test.each([
  ['email', '{email}', '{email}'],
  ['custom_fields.shop', '{shop}', '{custom_fields.shop}'],
  ['custom_fields.address.city', '{address.city}', '{custom_fields.address.city}'],
  ['custom_fields.name', '{custom_fields.name}', '{custom_fields.name}'],
  ['custom_fields.custom_fields.x', '{custom_fields.custom_fields.x}', '{custom_fields.custom_fields.x}'],
  ['custom_fields.a}b', undefined, undefined],
  ['custom_fields. shop', undefined, '{custom_fields. shop}'],
])('%s is inserted as %s, or %s', (path, short, full) => {
  expect(placeholderOf(path, 'short')).toBe(short);
  expect(placeholderOf(path, 'full')).toBe(full);
});

test.each([
  ['name', ['name', 'custom_fields.name']],
  ['shop', ['custom_fields.shop']],
  ['custom_fields.name', ['custom_fields.name']],
])('{%s} may stand for %j', (name, paths) => {
  expect(pathsOf(name)).toEqual(paths);
});

test.each([
  [['a'], '{a}'],
  [['a', 'b', 'c'], '{a}, {b} and {c}'],
])('%j reads %s', (names, text) => {
  expect(placeholderList(names)).toBe(text);
});
