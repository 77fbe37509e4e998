import { expect } from 'vitest';
import { noFaults } from '#tests/whatsapp/faults.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977772001';

test.for([429, 500, 503])(
  'error %i is no word on the message: the same address takes it later',
  async (answer, { wa, linkPhone }) => {
    const phone = await linkPhone();
    wa.answerMessages({ to: customer, times: 1, answer });
    expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'unknown', isAttempted: true });
    const { taken } = wa.stats();
    expect((await phone.send(customer, 'again')).kind).toBe('accepted');
    expect(wa.stats().taken - taken).toBe(1);
    expect(phone.restrictions).toEqual([]);
  },
);

test('error 475 goes back to its queue, and the phone is capped', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.answerMessages({ to: customer, times: 1, answer: 475 });
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  expect(phone.restrictions).toEqual([]);
  expect(phone.signals).toContainEqual(expect.objectContaining({ kind: 'cap', status: 'CAPPED' }));
});

test('error 479 is answered with fresh devices and a fresh session, once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'one');
  wa.answerMessages({ to: customer, times: 1, answer: 479 });
  expect((await phone.send(customer, 'two')).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(wa.contact(customer).arrivals.at(-1)?.encryption).toBe('pkmsg');
});

test.for([
  [500, 'unknown'],
  [429, 'held'],
] as const)(
  'error 479 while a question about devices is answered with %i: the message is tried again later, not given up',
  async ([devicesError, kind], { wa, linkPhone }) => {
    const phone = await linkPhone();
    await phone.send(customer, 'one');
    wa.answerMessages({ to: customer, times: 1, answer: 479 });
    wa.faults.devicesError = devicesError;
    expect((await phone.send(customer, 'two')).kind).toBe(kind);
    wa.faults.devicesError = noFaults.devicesError;
    expect((await phone.send(customer, 'two')).kind).toBe('accepted');
    await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['one', 'two']);
  },
);

test('a first contact carries a token made of the salt that the handset shared', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await expect.poll(() => phone.store.keys.has('salt/nct')).toBe(true);
  wa.contact(customer, { demandsToken: true });
  expect((await phone.send(customer, 'Hello')).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['Hello']);
  expect(phone.restrictions).toEqual([]);
});

test("a known contact's token outlives the link, and is fetched where it was lost", async ({
  wa,
  linkPhone,
  openPhone,
}) => {
  wa.contact(customer, { demandsToken: true });
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incomingTexts).toEqual(['Hello']);
  expect((await phone.send(customer, 'one')).kind).toBe('accepted');
  await phone.session.signOut();
  const again = openPhone({ store: phone.store });
  await again.link(wa, own);
  const { tokensIssued } = wa.stats();
  expect((await again.send(customer, 'two')).kind).toBe('accepted');
  for (const key of again.store.keys.keys()) if (key.startsWith('tctoken/')) again.store.keys.delete(key);
  await again.session.close();
  const later = openPhone({ store: again.store });
  await later.next('connected');
  expect((await later.send(customer, 'three')).kind).toBe('accepted');
  expect(later.restrictions).toEqual([]);
  expect(wa.stats().tokensIssued).toBeGreaterThan(tokensIssued);
});

test('a contact that is refused without a lock, with a fresh token too, is told of once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.answerMessages({ to: customer, answer: 463 });
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  expect(phone.restrictions).toMatchObject([{ to: customer, timeLock: { isActive: false } }]);
});

test('under a lock nothing is tried again', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.lockNewChats(own, new Date(Date.now() + 3_600_000));
  wa.answerMessages({ to: customer, answer: 463 });
  const { taken } = wa.stats();
  expect(await phone.send(customer, 'Hello')).toMatchObject({ kind: 'held' });
  expect(wa.stats().taken - taken).toBe(1);
});

test('locks and caps that are pushed are told at once, and asked for when connecting', async ({
  wa,
  linkPhone,
  openPhone,
}) => {
  const phone = await linkPhone();
  const endsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
  wa.lockNewChats(own, endsAt);
  wa.pushStanding(own, 'lock');
  await expect.poll(() => phone.signals).toContainEqual({ kind: 'time_lock', timeLock: { isActive: true, endsAt } });
  wa.capNewChats(own, { used: 5, total: 50, status: 'FIRST_WARNING' });
  wa.pushStanding(own, 'cap');
  await expect.poll(() => phone.signals).toContainEqual(expect.objectContaining({ kind: 'cap', used: 5, total: 50 }));
  await phone.session.close();
  const again = openPhone({ store: phone.store });
  await expect.poll(() => again.signals).toContainEqual({ kind: 'time_lock', timeLock: { isActive: true, endsAt } });
});

test('the cap on new chats: the one beyond it is held, chats that exist go on, and a higher cap is asked for', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  wa.capNewChats(own, { used: 9, total: 10 });
  expect((await phone.send(customer, 'the tenth')).kind).toBe('accepted');
  const other = '5511977772002';
  expect(await phone.send(other, 'the eleventh')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  expect(phone.signals).toContainEqual(expect.objectContaining({ kind: 'cap', used: 10, total: 10 }));
  expect((await phone.send(customer, 'again')).kind).toBe('accepted');
  await wa.incoming({ from: other, to: own, text: 'I write first' });
  await expect.poll(() => phone.incomingTexts).toEqual(['I write first']);
  expect((await phone.send(other, 'so you may be answered')).kind).toBe('accepted');
});

test('a lock on new chats stops strangers alone, and ends when WhatsApp says so', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incomingTexts).toEqual(['Hello']);
  wa.lockNewChats(own, new Date(Date.now() + 3_600_000));
  const stranger = '5511977772003';
  expect(await phone.send(stranger, 'Hi')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  expect(phone.restrictions).toMatchObject([{ to: stranger, timeLock: { isActive: true } }]);
  expect((await phone.send(customer, 'Hello to you')).kind).toBe('accepted');
  wa.lockNewChats(own, undefined);
  wa.pushStanding(own, 'lock');
  await expect
    .poll(() => phone.signals)
    .toContainEqual({ kind: 'time_lock', timeLock: { isActive: false, endsAt: null } });
  expect((await phone.send(stranger, 'Hi')).kind).toBe('accepted');
});

test("a copy for a device that its owner removed unseen is refused with 479: the others' copies go once more", async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const tablet = wa.addCompanion(customer);
  await phone.send(customer, 'one');
  wa.removeCompanion(customer, tablet.number, false);
  const { taken } = wa.stats();
  expect((await phone.send(customer, 'two')).kind).toBe('accepted');
  expect(wa.stats().taken - taken).toBe(2);
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(tablet.texts.map(({ text }) => text)).toEqual(['one']);
});
