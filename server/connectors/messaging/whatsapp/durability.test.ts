import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import { DatabaseUnavailableError } from '#server/platform/db/errors.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import type { MemoryCredentialStore } from '#tests/whatsapp/memory-credential-store.ts';

const customer = '5511977771234';

test('a message leaves only after its keys are stored', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'first');
  const stored = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  phone.store.beforeWrite = () => {
    asked.resolve();
    return stored.promise;
  };
  const { taken } = wa.stats();

  const outcome = phone.send(customer, 'second');
  await asked.promise;
  for (let turns = 0; turns < 20; turns += 1) await turn();
  const takenMeanwhile = wa.stats().taken - taken;
  stored.resolve();

  expect(takenMeanwhile).toBe(0);
  expect((await outcome).kind).toBe('accepted');
});

test('keys of many messages are stored together', async ({ linkPhone }) => {
  const phone = await linkPhone();
  const contacts = Array.from({ length: 30 }, (_, index) => String(5_511_977_770_000 + index));
  await Promise.all(contacts.map((contact) => phone.send(contact, 'first')));
  const before = phone.store.keyWrites;
  phone.store.beforeWrite = () => turn();

  await Promise.all(contacts.map((contact) => phone.send(contact, 'second')));

  expect(phone.store.keyWrites - before).toBeLessThan(20);
});

test('any moment of the store is one to start again from', async ({ wa, openPhone, linkPhone }) => {
  const phone = await linkPhone();
  const moments: MemoryCredentialStore[] = [];
  phone.store.beforeWrite = async () => void moments.push(phone.store.copy());
  for (const text of ['one', 'two', 'three']) await phone.send(customer, text);
  await phone.session.close();
  moments.push(phone.store.copy());

  for (const [index, store] of moments.entries()) {
    const again = openPhone({ store });
    await again.next('connected');
    expect((await again.send(customer, `from moment ${index}`)).kind).toBe('accepted');
    await expect.poll(() => wa.contact(customer).texts.at(-1)?.text).toBe(`from moment ${index}`);
    await again.session.close();
  }
});

test('a message that cannot be stored is not sent; sending resumes afterwards', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'before');
  const networkId = phone.newId();
  let failures = 1;
  phone.store.beforeWrite = async () => {
    if (failures-- > 0) throw new Error('the database is away');
  };
  const reconnecting = phone.next('reconnecting');
  const connected = phone.next('connected');

  expect((await phone.send(customer, 'during', networkId)).kind).toBe('unknown');
  expect((await reconnecting).reason).toMatch(/could not be stored/);
  await connected;
  expect(wa.contact(customer).texts.map(({ text }) => text)).toEqual(['before']);

  expect((await phone.send(customer, 'during', networkId)).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['before', 'during']);
  expect(wa.stats().undecryptable).toBe(0);
});

test('a message that cannot be encrypted while the database is away is not given up', async ({ linkPhone }) => {
  const phone = await linkPhone();
  const read = phone.store.readKeys.bind(phone.store);
  phone.store.readKeys = (type, ids) =>
    type === 'tctoken' ? Promise.reject(new DatabaseUnavailableError('it is restarted')) : read(type, ids);
  expect((await phone.send(customer, 'during')).kind).toBe('unknown');
  phone.store.readKeys = read;
  expect((await phone.send(customer, 'after')).kind).toBe('accepted');
});

test('the key of secrets that could not be read once is read for the next message', async ({ linkPhone }) => {
  const phone = await linkPhone();
  const read = phone.store.readKeys.bind(phone.store);
  phone.store.readKeys = (type, ids) =>
    ids.includes('secrets') ? Promise.reject(new DatabaseUnavailableError('it is restarted')) : read(type, ids);
  expect((await phone.send(customer, 'during')).kind).toBe('unknown');
  phone.store.readKeys = read;
  expect((await phone.send(customer, 'after')).kind).toBe('accepted');
});

test('while the database is away, the session says that it waits for that and not for the network', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const away = () => Promise.reject(new DatabaseUnavailableError('it is restarted'));
  const read = phone.store.readCredentials.bind(phone.store);
  phone.store.beforeWrite = away;
  phone.store.readCredentials = away;
  const [unstored, connected] = [phone.next('reconnecting'), phone.next('connected')];
  expect((await phone.send(customer, 'during')).kind).toBe('unknown');
  expect(await unstored).toMatchObject({ isOurs: true, reason: expect.stringMatching(/could not be stored/) });
  expect(await phone.next('reconnecting')).toMatchObject({
    isOurs: true,
    reason: expect.stringMatching(/could not be read/),
  });

  phone.store.beforeWrite = async () => {};
  phone.store.readCredentials = read;
  await connected;
  expect((await phone.send(customer, 'after')).kind).toBe('accepted');
  expect(wa.stats().undecryptable).toBe(0);
});

test('a phone whose lease went to another worker sends nothing more and does not come back', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await phone.send(customer, 'before');
  const ended = phone.next('disconnected');
  phone.store.beforeWrite = () => Promise.reject(new StaleLeaseError({ phoneId: 1, token: 1 }));

  expect((await phone.send(customer, 'after')).kind).toBe('unknown');

  expect((await ended).reason).toMatch(/took this phone over/);
  await expect.poll(() => wa.isConnected(own)).toBe(false);
  expect(wa.contact(customer).texts.map(({ text }) => text)).toEqual(['before']);
  expect(phone.store.credentials).toBeDefined();
});
