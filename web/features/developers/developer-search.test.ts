import { expect, test } from 'vitest';
import { developerSearch, requestFilterOf } from './developer-search.ts';

test('known values of the URL are kept, and others left out', () => {
  const search = {
    tab: 'log',
    outcome: 'failed',
    method: 'POST',
    key: 7,
    find: '/api/messages',
    endpoint: 'x',
    delivery: '?',
  };
  expect(developerSearch(search)).toEqual({
    tab: 'log',
    outcome: 'failed',
    method: 'POST',
    key: 7,
    find: '/api/messages',
  });
  expect(developerSearch({ tab: 'keys', delivery: 'failed', event: 'test', endpoint: 3, deliveries: 2 })).toEqual({
    delivery: 'failed',
    event: 'test',
    endpoint: 3,
    deliveries: 2,
  });
});

test.each([
  ['a key of the project by its id', { key: 7 }, { key_id: 7 }],
  ['the account’s key by its kind', { key: 'api_key' }, { caller: 'api_key' }],
  ['a part of a path', { find: 'send' }, { path: 'send' }],
  [
    'a whole request id',
    { find: '0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a' },
    { request_id: '0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a' },
  ],
] as const)('the log is narrowed by %s', (_name, search, filter) => {
  expect(requestFilterOf(search)).toEqual(filter);
});

test('the log is narrowed to the hours before now', () => {
  expect(developerSearch({ hours: '24' })).toEqual({ hours: 24 });
  expect(developerSearch({ hours: '23' })).toEqual({});
  const now = Date.parse('2026-11-21T08:00:00Z');
  expect(requestFilterOf({ hours: 24 }, now)).toEqual({ created_after: '2026-11-20T08:00:00.000Z' });
});
