import { expect, test } from 'vitest';
import { entrySearch } from './entry-search.ts';

test.each([
  [{}, {}],
  [
    { page: 3, status: 'failed' },
    { page: 3, status: 'failed' },
  ],
  [
    { search: 'ada', status: 'read', sort: 'name', cols: 'a' },
    { search: 'ada', status: 'read' },
  ],
  [{ page: 1, status: 'unheard' }, {}],
])('of %j it keeps %j', (search, expected) => {
  expect(entrySearch(search)).toEqual(expected);
});
