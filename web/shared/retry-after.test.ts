import { expect, test } from 'vitest';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './api.ts';
import { waitBeforeRetry } from './retry-after.ts';

test.each<[string, number, string, number | undefined, number, [number, number] | undefined]>([
  ['too many', 429, 'too_many_queries', 1000, 0, [1000, 1500]],
  ['busy', 503, 'busy', 5000, 2, [5000, 7500]],
  ['no wait at all', 429, 'too_many_queries', 0, 0, [250, 375]],
  ['the fourth time', 503, 'busy', 1000, 3, undefined],
  ['a minute', 429, 'too_many_requests', 60_000, 0, undefined],
  ['no word how long', 503, 'not_ready', undefined, 0, undefined],
  ['more than the server can do', 503, 'too_costly', 5000, 0, undefined],
  ['a conflict', 409, 'idempotency_in_progress', 1000, 0, undefined],
])('%s: %d %s waits', (_, status, code, retryAfterMs, retries, bounds) => {
  const waitMs = waitBeforeRetry(new ApiError(status, { code, message: '' }, { retryAfterMs }), retries);
  if (bounds === undefined) expect(waitMs).toBeUndefined();
  else expect(waitMs).toSatisfy((ms: number) => ms >= bounds[0] && ms <= bounds[1]);
});

const busy: Answer = { ...problem(429, 'too_many_queries', 'Too many'), headers: { 'retry-after': '0' } };

test('a GET is asked again once the server may answer', async () => {
  const answers = [busy, busy, { body: { data: [] } }];
  const requests = answerRequests({ 'GET /api/projects': () => answers.shift() ?? busy });
  expect(await callApi('GET /api/projects')).toEqual({ data: [] });
  expect(requests).toHaveLength(3);
});

test('a POST never is', async () => {
  const requests = answerRequests({ 'POST /api/projects': () => busy });
  await expect(callApi('POST /api/projects', { body: { name: 'Shop', webhook_url: null } })).rejects.toThrow(
    'Too many',
  );
  expect(requests).toHaveLength(1);
});

test('a page that is left asks no more', async () => {
  const left = new AbortController();
  const requests = answerRequests({ 'GET /api/projects': () => ({ ...busy, headers: { 'retry-after': '9' } }) });
  const answer = callApi('GET /api/projects', {}, { signal: left.signal });
  await expect.poll(() => requests.length).toBe(1);
  left.abort();
  await expect(answer).rejects.toThrow('abort');
  expect(requests).toHaveLength(1);
});
