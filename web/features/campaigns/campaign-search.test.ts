import { expect, test } from 'vitest';
import { campaignSearch } from './campaign-search.ts';

test.each([
  [{}, {}],
  [
    { page: '2', search: 47, status: 'paused', sort: 'progress', order: 'asc', edit: 4 },
    { page: 2, search: '47', status: 'paused', sort: 'progress', order: 'asc', edit: 4 },
  ],
  [{ page: 1, search: '', status: 'archived', sort: 'project', order: 'up', edit: -4 }, {}],
  [{ page: 1.5, edit: 'x', search: ['a'] }, {}],
])('of %j it keeps %j', (search, expected) => {
  expect(campaignSearch(search)).toEqual(expected);
});
