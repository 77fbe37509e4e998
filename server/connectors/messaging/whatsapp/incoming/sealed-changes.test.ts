import { expect } from 'vitest';
import type { IncomingMessage, SealedChange } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import type { TestPhone } from '#tests/whatsapp/test-phone.ts';
import { openSealed } from './sealed-changes.ts';

const customer = '5511955551111';

async function nextIncoming(phone: TestPhone, count: number): Promise<IncomingMessage> {
  await expect.poll(() => phone.incoming.length).toBe(count);
  const message = phone.incoming[count - 1];
  if (!message) throw new Error('It did not come');
  return message;
}

const open = ({ content }: IncomingMessage, secret: string | undefined) =>
  openSealed(content as SealedChange, secret ?? '');

test.for(['pn', 'lid'] as const)(
  'a sealed edit is opened with the secret of its message, by %s',
  async (as, { wa, linkPhone }) => {
    const phone = await linkPhone();
    const id = await wa.incoming({ from: customer, to: own, text: 'See you at 8' });
    const { secret } = await nextIncoming(phone, 1);
    await wa.edit({ from: customer, to: own, id, text: 'See you at 9', as });

    const change = await nextIncoming(phone, 2);
    expect(change.content).toMatchObject({ type: 'sealed', target: id, isOfOwn: false });
    expect(open(change, secret)).toEqual({ type: 'edit', target: id, text: 'See you at 9' });
    expect(open(change, Buffer.alloc(32).toString('base64'))).toBeUndefined();
  },
);

test('a vote in a poll of the other side names the chosen options by their hashes', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const options = [{ optionName: 'Red' }, { optionName: 'Blue' }];
  const poll = { pollCreationMessageV3: { name: 'Colour?', options, selectableOptionsCount: 1 } };
  const id = await wa.incoming({ from: customer, to: own, text: '', message: poll });
  const { secret, content } = await nextIncoming(phone, 1);
  expect(content).toEqual({
    type: 'poll',
    text: 'Colour?',
    poll: { question: 'Colour?', options: ['Red', 'Blue'], multiple: false },
  });
  await wa.vote({ from: customer, to: own, id, options: ['Blue'] });

  const vote = open(await nextIncoming(phone, 2), secret);
  expect(vote).toMatchObject({ type: 'vote', target: id, hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
});

test('a change that comes by a broadcast list belongs to the conversation with its sender', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Sale today', byList: true });
  expect(await nextIncoming(phone, 1)).toMatchObject({
    peer: { number: customer },
    content: { type: 'text', text: 'Sale today' },
    context: { broadcast: true },
  });
  expect(wa.stats().refusals).toEqual([]);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test.for<[string, object[], object]>([
  ['a call that nobody took', [{ step: 'offer' }, { step: 'terminate', reason: 'timeout' }], { outcome: 'missed' }],
  [
    'a video call that was taken on the handset',
    [
      { step: 'offer', video: true },
      { step: 'terminate', reason: 'accepted_elsewhere', duration: 42 },
    ],
    { outcome: 'ended', video: true, duration_s: 42 },
  ],
  ['a call that was rejected', [{ step: 'offer' }, { step: 'reject' }], { outcome: 'rejected' }],
  ['a call that waited at WhatsApp', [{ step: 'offer', secondsAgo: 600 }], { outcome: 'missed' }],
])('%s is told of once, when it is over', async ([, steps, call], { wa, linkPhone }) => {
  const phone = await linkPhone();
  for (const step of steps) wa.call({ from: customer, to: own, id: 'CALLID1', step: 'offer', ...step });
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'terminate', reason: 'timeout' });
  expect(await nextIncoming(phone, 1)).toMatchObject({
    networkId: 'call-CALLID1',
    peer: { number: customer },
    content: { type: 'call', call: { video: false, duration_s: null, ...call } },
  });
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(phone.incoming).toHaveLength(1);
});
