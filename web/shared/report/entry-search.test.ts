import { expect, test } from 'vitest';
import { entrySearch } from './entry-search.ts';

test.each([
  [{}, {}],
  [
    { page: 3, status: 'failed' },
    { page: 3, status: 'failed' },
  ],
  [{ page: 1, status: 'delivered' }, {}],
])('of %j it keeps %j', (search, expected) => {
  expect(entrySearch(search)).toEqual(expected);
});
