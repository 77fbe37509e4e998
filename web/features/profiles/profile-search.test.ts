import { expect, test } from 'vitest';
import { profileSearch } from './profile-search.ts';

test.each<[string, Record<string, unknown>, object]>([
  [
    'all that it knows',
    { page: 3, search: 'ada', sort: 'name', order: 'desc' },
    { page: 3, search: 'ada', sort: 'name', order: 'desc' },
  ],
  ['digits as text', { search: 4670 }, { search: '4670' }],
  ['nothing for the first page', { page: 1 }, {}],
  ['nothing it does not know', { page: -2, search: {}, sort: 'email', order: 'up', extra: 1 }, {}],
])('keeps %s', (_, search, expected) => {
  expect(profileSearch(search)).toEqual(expected);
});
