import { expect } from 'vitest';
import { test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const texts = ['one', 'two', 'three'];

test('messages to one recipient arrive in their order, also where its LID is refused', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer, { refusesAddress: { kind: 'lid', error: 479 } });
  await Promise.all(texts.map((text) => phone.send(customer, text)));
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(texts);
});

test('a message that has to be tried again is not overtaken by later ones', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ connector: { ackTimeoutMs: 2_000 } });
  const ids = texts.map(() => phone.newId());
  const sendAll = () => Promise.all(texts.map((text, index) => phone.send(customer, text, ids[index])));
  wa.answerMessages({ to: customer, times: 1, answer: 'lost' });

  expect(await sendAll()).toMatchObject([
    { kind: 'unknown', isAttempted: true },
    { kind: 'unknown', isAttempted: false },
    { kind: 'unknown', isAttempted: false },
  ]);
  expect((await sendAll()).map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted']);

  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(texts);
});

test('a recipient whose message is not answered holds up nobody else', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const other = '5511977771235';
  wa.answerMessages({ to: customer, times: 1, answer: 'lost' });
  void phone.send(customer, 'one');
  expect((await phone.send(other, 'Hello')).kind).toBe('accepted');
});
