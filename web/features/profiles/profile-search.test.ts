import { expect, test } from 'vitest';
import { profileSearch } from './profile-search.ts';

test.each<[string, Record<string, unknown>, object]>([
  [
    'all that it knows',
    { page: 3, search: 'ada', sort: 'name', order: 'desc' },
    { page: 3, search: 'ada', sort: 'name', order: 'desc' },
  ],
  ['digits as text', { search: 4670 }, { search: '4670' }],
  [
    'an expression, as text or as the router has read it',
    { expression: { all: [{ field: 'email', op: 'exists' }] } },
    { expression: '{"all":[{"field":"email","op":"exists"}]}' },
  ],
  ['an expression as text', { expression: '{"segment":4}' }, { expression: '{"segment":4}' }],
  ['no expression that is no JSON of an object', { expression: '{"segment":' }, {}],
  ['no list for an expression', { expression: [1] }, {}],
  ['nothing for the first page', { page: 1 }, {}],
  ['nothing it does not know', { page: -2, search: {}, sort: 'email', order: 'up', extra: 1 }, {}],
])('keeps %s', (_, search, expected) => {
  expect(profileSearch(search)).toEqual(expected);
});
