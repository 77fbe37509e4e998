import { expect, test } from 'vitest';
import { recordSearch } from './record-search.ts';

test.each([
  [{}, {}],
  [
    { messages: 2, webhooks: '3', direction: 'incoming', status: 'read', number: 4477, delivery: 'failed' },
    { messages: 2, webhooks: 3, direction: 'incoming', status: 'read', number: '4477', delivery: 'failed' },
  ],
  [{ messages: 1, webhooks: -1, direction: 'up', status: 'lost', number: '', delivery: 'sent' }, {}],
  [{ messages: 1.5, webhooks: 'x' }, {}],
])('of %j it keeps %j', (search, expected) => {
  expect(recordSearch(search)).toEqual(expected);
});
