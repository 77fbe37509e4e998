import { expect, test } from 'vitest';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { callApi } from './api.ts';

const made: Answer = { status: 201, body: { id: 3, name: 'Shop' } };
const create = (name: string) => callApi('POST /api/projects', { body: { name, webhook_url: null } });
const keysOf = (requests: readonly Request[]) => requests.map(({ headers }) => headers.get('idempotency-key'));

test.each<[string, Answer]>([
  ['a gateway that gave up', { status: 504, body: '' }],
  ['a server that failed', problem(500, 'internal', '')],
  ['an answer that was cut off', { status: 201, body: new Blob(['{"id":']) }],
  ['the first try under way', problem(409, 'idempotency_in_progress', '')],
])('after %s the same again goes under the same key, and once it was answered under another', async (_, lost) => {
  const answers = [lost, made, made];
  const requests = answerRequests({ 'POST /api/projects': () => answers.shift() ?? made });
  await expect(create('Shop')).rejects.toThrow();
  await create('Shop');
  await create('Shop');
  const [first, second, third] = keysOf(requests);
  expect(first).toEqual(expect.any(String));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('something else after a lost answer, or the same after a refusal, goes under a key of its own', async () => {
  const answers = [problem(500, 'internal', ''), made, problem(409, 'conflict', ''), made];
  const requests = answerRequests({ 'POST /api/projects': () => answers.shift() ?? made });
  await expect(create('Shop')).rejects.toThrow();
  await create('Bakery');
  await expect(create('Cafe')).rejects.toThrow();
  await create('Cafe');
  expect(new Set(keysOf(requests)).size).toBe(4);
});

test('a pause after a lost answer is meant anew: somebody may have resumed meanwhile', async () => {
  const answers: Answer[] = [{ status: 504, body: '' }, { body: { id: 4 } }];
  const requests = answerRequests({ 'POST /api/campaigns/4/pause': () => answers.shift() ?? { body: {} } });
  const pause = () => callApi('POST /api/campaigns/{campaignId}/pause', { params: { campaignId: '4' } });
  await expect(pause()).rejects.toThrow();
  await pause();
  expect(keysOf(requests)).toEqual([null, null]);
});
