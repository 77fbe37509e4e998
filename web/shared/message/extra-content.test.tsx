import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import type { Message } from '#contracts/messages.ts';
import { plainContext, sampleMessage } from '#web/testing/samples.ts';
import { MessageBubble } from './message-bubble.tsx';
import { messageSummary } from './message-summary.ts';

const at = '2026-11-20T10:00:00.000Z';

test.for<[string, Partial<Message>, string[], string]>([
  [
    'a poll with its votes',
    {
      type: 'poll',
      message: 'Which colour?',
      poll: {
        question: 'Which colour?',
        options: ['Red', 'Blue'],
        multiple: false,
        votes: [{ from_me: false, options: ['Blue'], at }],
      },
    },
    ['Which colour?', 'Red', 'Blue', 'Them'],
    'Which colour?',
  ],
  [
    'an order',
    {
      type: 'order',
      message: '',
      order: { id: '77', title: 'Order 7', item_count: 3, amount: '149.90', currency: 'BRL' },
    },
    ['Order 7', '3 items · 149.90 BRL · 77'],
    'Order 7',
  ],
  [
    'a request for money',
    { type: 'payment', message: 'Lunch', payment: { kind: 'request', amount: '12.50', currency: 'EUR' } },
    ['Asks for money', '12.50 EUR', 'Lunch'],
    'Lunch',
  ],
  [
    'a missed video call',
    { type: 'call', message: '', call: { video: true, outcome: 'missed', duration_s: null } },
    ['Missed video call'],
    'Missed video call',
  ],
  [
    'what cannot be read yet',
    { type: 'waiting', message: '' },
    ['Waiting for this message', 'It cannot be read here yet. Open it on the handset.'],
    'Waiting for this message',
  ],
  [
    'a lead of an advertisement',
    {
      message: 'Hello',
      context: {
        ...plainContext,
        forwarded: true,
        referral: {
          ctwa_clid: 'A',
          source_type: 'ad',
          source_id: '120',
          source_url: null,
          headline: 'Shoes',
          body: null,
        },
      },
    },
    ['Shoes', 'ad · 120', 'Forwarded', 'Hello'],
    'Hello',
  ],
])('%s is shown in its bubble and on one line', async ([, change, words, summary]) => {
  const message = sampleMessage(change);
  render(<MessageBubble message={message} name="Ana" />);
  for (const word of words) await expect.element(page.getByText(word, { exact: true })).toBeVisible();
  expect(messageSummary(message)).toBe(summary);
});
