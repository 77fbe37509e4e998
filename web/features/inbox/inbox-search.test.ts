import { expect, test } from 'vitest';
import { inboxSearch } from './inbox-search.ts';

test.each([
  [{}, {}],
  [{ status: 'open' }, {}],
  [
    { status: 'done', search: 'Ada', conversation: 7 },
    { status: 'done', search: 'Ada', conversation: 7 },
  ],
  [{ assigned: 'me' }, { assigned: 'me' }],
  [{ assigned: '7' }, {}],
  [{ status: 'nonsense', conversation: -1, contact: 'yes' }, {}],
  [{ to: '+1 (415) 555-0132' }, { to: '14155550132' }],
  [
    { search: 4155550132, contact: true },
    { search: '4155550132', contact: true },
  ],
])('%j reads %j', (given, read) => {
  expect(inboxSearch(given)).toEqual(read);
});
