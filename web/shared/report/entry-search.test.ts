import { expect, test } from 'vitest';
import { recipientSearch } from './recipient-search.ts';

test.each([
  [{}, {}],
  [
    { page: 3, status: 'failed' },
    { page: 3, status: 'failed' },
  ],
  [{ page: 1, status: 'delivered' }, {}],
])('of %j it keeps %j', (search, expected) => {
  expect(recipientSearch(search)).toEqual(expected);
});
