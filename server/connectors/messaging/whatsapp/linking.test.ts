import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

test('links by QR code and logs in', async ({ wa, openPhone }) => {
  const phone = openPhone();
  const before = Date.now();
  const connected = phone.next('connected');
  const { payload, expiresAt } = await phone.next('qr');
  expect(payload).toMatch(/^https:\/\/wa\.me\/settings\/linked_devices#/);
  expect(expiresAt.getTime() - before).toBeGreaterThanOrEqual(60_000);

  const { os } = await wa.scan(payload, own, { name: 'Shop' });

  // A name of our own making would make some accounts refuse the link.
  expect(os).toBe('Ubuntu');
  expect(await connected).toEqual({ status: 'connected', phoneNumber: own });
  expect(phone.states.map(({ status }) => status)).toEqual(['connecting', 'qr', 'connecting', 'connected']);
  expect(wa.stats().unknownRequests).toEqual({});
});

test('links by pairing code, which stays the same until it is used', async ({ wa, openPhone }) => {
  const phone = openPhone();
  const connected = phone.next('connected');
  const code = await phone.session.requestPairingCode(own);
  expect(code).toMatch(/^[0-9A-Z]{8}$/);
  expect(await phone.session.requestPairingCode(own)).toBe(code);

  await expect
    .poll(() =>
      wa.enterCode(own, code ?? '').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);

  expect(await connected).toEqual({ status: 'connected', phoneNumber: own });
  expect(await phone.session.requestPairingCode(own)).toBeUndefined();
});

test('a restart logs in from the stored credentials and shows no QR code', async ({ openPhone, linkPhone }) => {
  const before = await linkPhone();
  await before.session.close();

  const after = openPhone({ store: before.store });

  expect(await after.next('connected')).toEqual({ status: 'connected', phoneNumber: own });
  expect(after.states.map(({ status }) => status)).toEqual(['connecting', 'connected']);
});

test('a link that was not finished starts anew', async ({ wa, openPhone }) => {
  const before = openPhone();
  await before.session.requestPairingCode(own);
  await before.session.close();

  const after = openPhone({ store: before.store });
  await after.link(wa, own);

  expect(wa.isConnected(own)).toBe(true);
});

test('an account of another number is signed out', async ({ wa, openPhone }) => {
  const phone = openPhone({ expectedNumber: '5511900000002' });
  const failed = phone.next('auth_failed');
  const { payload } = await phone.next('qr');
  await wa.scan(payload, own);

  expect((await failed).reason).toBe('This phone is 5511900000002, but the account that was linked is 5511900000001');
  expect(wa.contact(own).device).toBeUndefined();
  expect(phone.store.credentials).toBeUndefined();
  expect(phone.store.keys.size).toBe(0);
  expect(phone.states.map(({ status }) => status)).not.toContain('connected');
});

test("a Brazilian account without the ninth digit is the expected number's", async ({ wa, openPhone }) => {
  const phone = openPhone({ expectedNumber: '5511987654321' });
  await phone.link(wa, '551187654321');
  expect(phone.states.at(-1)).toEqual({ status: 'connected', phoneNumber: '551187654321' });
});

test.for([{ badSignature: true }, { badHmac: true }])('refuses a link with %o', async (flaw, { wa, openPhone }) => {
  const phone = openPhone();
  const failed = phone.next('auth_failed');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { payload } = await phone.next('qr');
    wa.scan(payload, own, flaw).catch(() => undefined);
  }

  expect((await failed).reason).toMatch(/could not be verified/);
  expect(wa.contact(own).device).toBeUndefined();
});

test.for(['passkey_prologue_request', 'crsc_continuation'] as const)(
  'an account behind a passkey is told of, and nothing is answered: %s',
  async (type, { wa, openPhone }) => {
    const phone = openPhone();
    const failed = phone.next('auth_failed');
    const { payload } = await phone.next('qr');

    wa.demandPasskey(payload, type);

    expect((await failed).reason).toMatch(/asks for a passkey/);
    await expect.poll(() => wa.stats().connections).toBe(0);
    expect(wa.stats().unknownRequests).toEqual({});
  },
);

test('codes that nobody scans end the link', async ({ wa, openPhone }) => {
  wa.faults.qrCodes = 0;
  const phone = openPhone();
  expect((await phone.next('disconnected')).reason).toMatch(/was not scanned in time/);
});

test('signing out removes the device from the account', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();

  await phone.session.signOut();

  expect(wa.contact(own).device).toBeUndefined();
  expect(phone.store.credentials).toBeUndefined();
  expect(phone.states.at(-1)?.status).toBe('disconnected');
});
