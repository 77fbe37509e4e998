import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneHistory } from '#contracts/phone-history.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { samplePhone } from '#web/testing/samples.ts';
import { HistoryCard } from './history-card.tsx';

const history: PhoneHistory = {
  is_wanted: true,
  state: 'running',
  percent: 40,
  chats: 12,
  messages: 1_234,
  since: '2026-10-20T09:00:00.000Z',
  begun_at: '2026-11-19T09:00:00.000Z',
  ended_at: null,
};

test.each<[string, Partial<PhoneHistory>, RegExp]>([
  ['running', {}, /come into the inbox: 40 %/],
  ['done', { state: 'done', percent: 100 }, /before the link are in the inbox/],
  ['full', { state: 'full' }, /there were more than are taken/],
  ['incomplete', { state: 'incomplete' }, /did not give all of the chats/],
  ['wanted, of a number that is linked already', { state: 'none', messages: 0, chats: 0 }, /link the number anew/],
])('chats that are %s say so', async (_case, changes, words) => {
  answerRequests({ 'GET /api/phone-numbers/7/history': () => ({ body: { ...history, ...changes } }) });
  render(inRouter(<HistoryCard phone={samplePhone({ is_connected: true, status: 'connected' })} />).page);
  await expect.element(page.getByRole('region', { name: 'Earlier chats' })).toHaveTextContent(words);
});

test('nothing is shown where nobody wants them', async () => {
  const none = { ...history, is_wanted: false, state: 'none', messages: 0, chats: 0 };
  const requests = answerRequests({ 'GET /api/phone-numbers/7/history': () => ({ body: none }) });
  render(inRouter(<HistoryCard phone={samplePhone()} />).page);
  await expect.poll(() => requests.length).toBe(1);
  await expect.element(page.getByText('Earlier chats')).not.toBeInTheDocument();
});
