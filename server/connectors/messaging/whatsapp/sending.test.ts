import { expect } from 'vitest';
import type { SendOutcome, SentMessage } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';

test('the contact decrypts the text under the same id', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();

  const outcome = await phone.send(customer, 'Olá, é um teste ✓ https://example.com', networkId);

  expect(outcome.kind).toBe('accepted');
  const text = 'Olá, é um teste ✓ https://example.com';
  await expect.poll(() => wa.contact(customer).texts).toEqual([{ id: networkId, from: own, text }]);
  await expect.poll(() => wa.contact(own).ownTexts.map((shown) => shown.text)).toEqual([text]);
  await expect.poll(() => phone.receiptsOf(networkId)).toEqual(['delivered']);
  expect(wa.stats().undecryptable).toBe(0);
});

test('receipts come when the contact sends them, under the LID too', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  wa.contact(customer, { delivers: false, hidesNumber: true });
  await phone.send(customer, 'Hello', networkId);

  wa.sendReceipt(customer, own, networkId, 'delivered');
  await expect.poll(() => phone.receiptsOf(networkId)).toEqual(['delivered']);
  wa.sendReceipt(customer, own, networkId, 'read');
  await expect.poll(() => phone.receiptsOf(networkId)).toEqual(['delivered', 'read']);
});

test('a receipt that came while the phone was away comes after the restart', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  const networkId = before.newId();
  wa.contact(customer, { delivers: false });
  await before.send(customer, 'Hello', networkId);
  await before.session.close();
  wa.sendReceipt(customer, own, networkId, 'read');

  const after = openPhone({ store: before.store });

  await expect.poll(() => after.receiptsOf(networkId)).toEqual(['read']);
});

test('a number without WhatsApp is refused, and asked about once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact('5511988880000', { onWhatsApp: false });

  const first = await phone.send('5511988880000', 'Hello');
  wa.contact('5511988880000', { onWhatsApp: true });
  const second = await phone.send('5511988880000', 'Hello');

  expect(first).toEqual({ kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' });
  expect(second).toEqual(first);
});

test('writes to the address WhatsApp names, which may differ from the number', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact('5511987654321', { knownAs: '551187654321' });

  expect((await phone.send('5511987654321', 'Hello')).kind).toBe('accepted');

  await expect.poll(() => wa.contact('551187654321').texts.length).toBe(1);
});

test('an error in the ack refuses the message', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.answerMessages({ answer: 479 });
  expect(await phone.send(customer, 'Hello')).toEqual({
    kind: 'refused',
    code: 'network_refused',
    reason: 'WhatsApp refused the message (error 479)',
  });
  expect(phone.restrictions).toEqual([]);
});

test('keys that a contact did not sign are not used', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer).party.spoilSignedPreKey();
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'refused', code: 'network_refused' });
  expect(wa.stats().taken).toBe(0);
});

test('error 463 means a restricted account', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.answerMessages({ answer: 463 });
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  expect(phone.restrictions).toHaveLength(1);
  expect(wa.contact(customer).texts).toEqual([]);
});

test('a message whose ack is lost with the connection is unknown; sent again it is shown once', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  wa.answerMessages({ to: customer, times: 1, answer: 'drop' });
  const connected = phone.next('connected');

  expect((await phone.send(customer, 'Once', networkId)).kind).toBe('unknown');
  await connected;
  expect((await phone.send(customer, 'Once', networkId)).kind).toBe('accepted');

  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(2);
  expect(wa.contact(customer).texts).toEqual([{ id: networkId, from: own, text: 'Once' }]);
  expect(wa.stats().undecryptable).toBe(0);
});

test('an ack that never comes is given up after a while; one that comes late still counts', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone({ connector: { ackTimeoutMs: 50 } });
  wa.answerMessages({ times: 1, answer: 'lost_ack' });
  expect(await phone.send(customer, 'Hello')).toEqual({
    kind: 'unknown',
    reason: 'WhatsApp did not confirm the message in time',
    isAttempted: true,
  });

  wa.faults.latencyMs = 100;
  const late = phone.newId();
  expect((await phone.send(customer, 'Hello again', late)).kind).toBe('unknown');
  await expect.poll(() => phone.receiptsOf(late)).toContain('sent');
});

test('of what is under way as the connection breaks, the first that is unanswered alone counts as tried', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone({ connector: { provenMs: 0 } });
  const contacts = ['5511977771231', '5511977771232', '5511977771233', '5511977771234'];
  for (const contact of contacts) await phone.send(contact, 'Hello');
  wa.answerMessages({ answer: 'lost' });
  wa.answerMessages({ to: '5511977771231', answer: 'ack' });
  const under = contacts.map((contact) => phone.send(contact, 'Hello again'));
  await under[0];
  await expect.poll(() => wa.stats().taken).toBe(8);
  wa.kick(own, 'drop');
  const tried = (await Promise.all(under)).map((outcome) => outcome.kind === 'unknown' && outcome.isAttempted);
  expect(tried).toEqual([false, true, false, false]);
});

test('connections that come and go cost no message an attempt, and what meets each end rests', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await phone.send(customer, 'Hello');
  wa.answerMessages({ answer: 'lost' });
  const networkId = phone.newId();
  const outcomes: SendOutcome[] = [];
  for (let time = 0; time < 3; time += 1) {
    const connected = phone.next('connected');
    const outcome = phone.send(customer, 'Hello again', networkId);
    await expect.poll(() => wa.stats().taken).toBe(time + 2);
    wa.kick(own, 'drop');
    outcomes.push(await outcome);
    await connected;
  }
  const untried = { kind: 'unknown', isAttempted: false };
  expect(outcomes).toMatchObject([untried, untried, untried]);
  expect(outcomes.map((outcome) => 'until' in outcome)).toEqual([false, true, true]);
});

test.for(['replaced', 'stream_515'] as const)(
  'a connection that WhatsApp ends itself blames no message: %s',
  async (kind, { wa, linkPhone }) => {
    const phone = await linkPhone({ connector: { provenMs: 0 } });
    wa.answerMessages({ answer: 'lost' });
    const outcome = phone.send(customer, 'Hello');
    await expect.poll(() => wa.stats().taken).toBe(1);
    wa.kick(own, kind);
    expect(await outcome).toMatchObject({ kind: 'unknown', isAttempted: false });
  },
);

test('a recipient that cannot decrypt gets the text again, also after a restart', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const sent = new Map<string, SentMessage>();
  const before = await linkPhone({ sent });
  await before.send(customer, 'First');
  await expect.poll(() => wa.contact(customer).texts.length).toBe(1);
  wa.contact(customer).party.forgetSessions();
  wa.answerMessages({ to: customer, times: 1, answer: 'drop' });
  await before.send(customer, 'Second');
  await before.session.close();

  const after = openPhone({ store: before.store, sent });

  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['First', 'Second']);
  await after.session.close();
});

test('many sends at once arrive, to old and new contacts, each once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const numbers = Array.from({ length: 12 }, (_, index) => `55119888800${10 + index}`);
  const sends = numbers.flatMap((number) => [1, 2, 3].map((part) => phone.send(number, `Part ${part}`)));

  const outcomes = await Promise.all(sends);

  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  await expect.poll(() => numbers.map((number) => wa.contact(number).texts.length)).toEqual(numbers.map(() => 3));
  expect(wa.stats().undecryptable).toBe(0);
});

test('sending the same id twice at once sends it once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  const outcomes = await Promise.all([1, 2].map(() => phone.send(customer, 'Hello', networkId)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  expect(wa.stats().taken).toBe(1);
});

test('nothing is sent while the phone is not connected', async ({ wa, openPhone }) => {
  const phone = openPhone();
  await phone.next('qr');
  expect(await phone.send(customer, 'Hello')).toEqual({
    kind: 'unknown',
    reason: 'The phone is not connected',
    isAttempted: false,
  });
  expect(wa.stats().taken).toBe(0);
});
