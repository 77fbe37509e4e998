import { expect, test } from 'vitest';
import type { ApiRequest } from '#contracts/request-log.ts';
import { requestCurl } from './request-curl.ts';

const request: ApiRequest = {
  id: 1,
  created_at: '2026-11-21T08:00:00.000Z',
  request_id: 'r',
  method: 'POST',
  path: '/api/send-message',
  status: 200,
  code: null,
  duration_ms: 4,
  caller: 'auth_key',
  key_id: null,
  key_name: null,
  body: null,
  omitted: 0,
};

test.each([
  [
    { body: `{"it's $HOME":"5 characters"}` },
    [
      `curl -X POST 'https://dovepost.example/api/send-message'`,
      `-H 'x-auth-key: YOUR_KEY'`,
      `-H 'content-type: application/json'`,
      String.raw`-d '{"it'\''s $HOME":"5 characters"}'`,
    ],
  ],
  [
    { method: 'GET', path: '/api/messages?search&limit', caller: 'api_key' },
    [`curl 'https://dovepost.example/api/messages?search=SEARCH&limit=LIMIT'`, `-H 'authorization: YOUR_API_KEY'`],
  ],
] as const)('%j is a command that a shell reads', (change, lines) => {
  expect(requestCurl({ ...request, ...change }, 'https://dovepost.example').split(' \\\n  ')).toEqual(lines);
});
