import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';

test('a contact with a LID is written to by it, where its number takes nothing', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer, { refusesAddress: { kind: 'pn', error: 463 } });
  expect((await phone.send(customer, 'Hello')).kind).toBe('accepted');
  expect(phone.restrictions).toEqual([]);
});

test('a contact that takes nothing at its LID is written to by number, and from then on at once', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  wa.contact(customer, { refusesAddress: { kind: 'lid', error: 479 } });

  expect((await phone.send(customer, 'one')).kind).toBe('accepted');
  const { taken } = wa.stats();
  expect((await phone.send(customer, 'two')).kind).toBe('accepted');

  expect(wa.stats().taken - taken).toBe(1);
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['one', 'two']);
});

test('which address a contact takes is remembered over a restart', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  wa.contact(customer, { refusesAddress: { kind: 'lid', error: 479 } });
  await before.send(customer, 'one');
  await before.session.close();
  const { taken } = wa.stats();

  const after = openPhone({ store: before.store });
  await after.next('connected');

  expect((await after.send(customer, 'two')).kind).toBe('accepted');
  expect(wa.stats().taken - taken).toBe(1);
});

test('a device whose keys are broken keeps no message from the others', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer, { hasBrokenDevice: true });
  expect((await phone.send(customer, 'Hello')).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['Hello']);
});

test('a token is issued to a contact once, not with every message', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  for (const text of ['one', 'two', 'three', 'four']) await phone.send(customer, text);
  await expect.poll(() => wa.contact(customer).texts.length).toBe(4);
  expect(wa.stats().tokensIssued).toBe(1);
  expect(wa.isConnected(own)).toBe(true);
});
