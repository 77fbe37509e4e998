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
  'replaced',
  'stream_ack',
  'failure_418',
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
  ['downgrade', 'auth_failed'],
  ['failure_403', 'banned'],
  ['failure_406', 'banned'],
  ['failure_409', 'disconnected'],
] as const)('%s: ends as %s', async ([kind, status], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const ended = phone.next(status);

  wa.kick(own, kind);

  expect((await ended).reason).not.toBe('');
  await expect.poll(() => wa.stats().connections).toBe(0);
  expect(phone.store.credentials).toBeDefined();
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
  expect((await banned).reason).toMatch(/^WhatsApp has banned this account\./);
});

test('an outage that answers every login with 500 unlinks nobody', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.refuseLogins(own, 500);
  wa.kick(own, 'close');
  await expect.poll(() => wa.stats().logins).toBeGreaterThan(8);
  const connected = phone.next('connected');
  wa.refuseLogins(own, undefined);
  await connected;
  expect(phone.states.map(({ status }) => status)).not.toContain('auth_failed');
});

test('an HTTP refusal of the connection is tried again until it is let in', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const connected = phone.next('connected');
  wa.faults.refuseUpgrades = 503;
  wa.kick(own, 'drop');
  await expect.poll(() => wa.stats().refusedUpgrades).toBeGreaterThan(3);
  wa.faults.refuseUpgrades = undefined;
  await connected;
});

test('a server that takes the connection and says nothing is given up, and tried again', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ connector: { connectTimeoutMs: 300 } });
  const reconnecting = phone.next('reconnecting');
  const connected = phone.next('connected');
  wa.faults.answersLogins = false;
  wa.kick(own, 'stream_515');
  expect((await reconnecting).reason).toMatch(/did not answer/);
  wa.faults.answersLogins = true;
  await connected;
});

test('an account that is locked for a time says until when and why, and comes back by itself', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const connected = phone.next('connected');
  wa.lockFor(own, 1, 101);
  const reasons = () => phone.states.map((state) => ('reason' in state ? state.reason : ''));
  await expect
    .poll(reasons)
    .toContainEqual(expect.stringMatching(/locked this account until .* because it wrote to too many people/));
  await connected;
  expect(phone.store.credentials).toBeDefined();
});

test('a server that cannot be reached is tried again', async ({ wa, openPhone }) => {
  await wa.close();
  const phone = openPhone();
  expect((await phone.next('reconnecting')).reason).toMatch(/^The connection to WhatsApp was lost\./);
});

test('two that replace each other come to an end, with the link kept', async ({ openPhone, linkPhone }) => {
  const first = await linkPhone();
  const firstEnded = first.next('disconnected');
  const second = openPhone({ store: first.store });
  const ended = await Promise.race([firstEnded, second.next('disconnected')]);
  expect(ended.reason).toMatch(/keeps connecting as this device/);
  expect(first.store.credentials).toBeDefined();
});
