import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

test.for([
  'stream_503',
  'stream_500',
  'malformed',
  'stream_end',
  'drop',
  'close',
  'failure_503',
  'failure_405',
] as const)('%s: reconnects with a reason', async (kind, { wa, linkPhone }) => {
  const phone = await linkPhone();
  const reconnecting = phone.next('reconnecting');
  const connected = phone.next('connected');

  wa.kick(own, kind);

  expect((await reconnecting).reason).not.toBe('');
  await connected;
  await expect.poll(() => wa.isConnected(own)).toBe(true);
});

test('stream_515: reconnects at once, without a word of trouble', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const connected = phone.next('connected');
  wa.kick(own, 'stream_515');
  await connected;
  expect(phone.states.map(({ status }) => status)).not.toContain('reconnecting');
});

test.for([
  ['replaced', 'disconnected'],
  ['downgrade', 'auth_failed'],
  ['failure_402', 'banned'],
  ['failure_403', 'banned'],
] as const)('%s: ends as %s', async ([kind, status], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const ended = phone.next(status);

  wa.kick(own, kind);

  expect((await ended).reason).not.toBe('');
  await expect.poll(() => wa.stats().connections).toBe(0);
  expect(phone.store.credentials === undefined).toBe(status === 'auth_failed');
});

test('a device that is removed on the handset fails and forgets its credentials', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const ended = phone.next('auth_failed');
  wa.removeDevice(own);
  expect((await ended).reason).toMatch(/removed from the WhatsApp account/);
  expect(phone.store.credentials).toBeUndefined();
  expect(phone.store.keys.size).toBe(0);
});

test('a device that was removed while away learns it at login', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  await before.session.close();
  wa.removeDevice(own);
  const after = openPhone({ store: before.store });
  expect((await after.next('auth_failed')).reason).toMatch(/removed/);
});

test('a banned account stays out', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const banned = phone.next('banned');
  wa.ban(own);
  expect((await banned).reason).toBe('WhatsApp has banned this account');
});

test('refused three times in a row for no reason, it gives up', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const failed = phone.next('auth_failed');
  wa.refuseLogins(own, 500);
  wa.kick(own, 'close');
  expect((await failed).reason).toMatch(/several times/);
});

test('a server that cannot be reached is tried again', async ({ wa, openPhone }) => {
  await wa.close();
  const phone = openPhone();
  expect((await phone.next('reconnecting')).reason).toBe('The connection to WhatsApp was lost');
});

test('a second connection of the same device ends the first', async ({ openPhone, linkPhone }) => {
  const first = await linkPhone();
  const ended = first.next('disconnected');
  const second = openPhone({ store: first.store });
  await second.next('connected');
  expect((await ended).reason).toBe('Another program connected as this device');
});
