import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, logout, SignedIn } from '#contracts/accounts.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

const minuteMs = 60_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

/** A caller with an address of their own. */
const from = (ip: string) => createApiClient(app.url, { 'x-forwarded-for': ip });

test('signs in, whatever the case of the address; the token ends with logout', async () => {
  const { email, password, token } = await signUp(app.url);
  const answer = await from('192.0.2.1').call(login, { body: { email: email.toUpperCase(), password } });
  expect(answer.status).toBe(200);
  const body = SignedIn.parse(answer.body);
  expect(body.user.email).toBe(email);
  expect(body.token).not.toBe(token);

  const api = from('192.0.2.1').as({ authorization: `Bearer ${body.token}` });
  expect((await api.call(getCurrentUser)).status).toBe(200);
  expect((await api.call(logout)).status).toBe(204);
  expect((await api.refuse(getCurrentUser)).status).toBe(401);
  expect((await from('192.0.2.1').as({ authorization: token }).call(getCurrentUser)).status).toBe(200);
});

test('an unknown address gets the answer of a wrong password', async () => {
  const { email } = await signUp(app.url);
  const refusalFor = async (address: string) => {
    const { status, body } = await from('192.0.2.2').refuse(login, {
      body: { email: address, password: 'wrong password' },
    });
    return { status, ...body, request_id: undefined };
  };
  const wrongPassword = await refusalFor(email);
  expect(wrongPassword).toMatchObject({
    status: 401,
    code: 'invalid_credentials',
    message: 'Invalid email or password',
  });
  expect(await refusalFor(`${randomUUID()}@example.com`)).toEqual(wrongPassword);
});

test('ten failures in a row lock one account for one address for a quarter of an hour', async () => {
  const { email, password } = await signUp(app.url);
  const api = from('192.0.2.3');
  const wrong = { body: { email, password: 'wrong password' } };
  const burst = await Promise.all(Array.from({ length: 40 }, () => api.refuse(login, wrong)));
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(10);
  const locked = burst.filter(({ status }) => status === 429);
  expect(locked).toHaveLength(30);
  expect(locked[0]?.body.code).toBe('too_many_attempts');
  expect(locked[0]?.body.message).toBe('Too many failed attempts. Wait 15 minutes, or reset your password.');
  expect(Number(locked[0]?.headers.get('retry-after'))).toBe(15 * 60);

  // Not even the right password helps there; elsewhere it does.
  expect((await api.refuse(login, { body: { email, password } })).status).toBe(429);
  expect((await from('192.0.2.4').call(login, { body: { email, password } })).status).toBe(200);

  clock.advance(15 * minuteMs - 1000);
  const almost = await api.refuse(login, { body: { email, password } });
  expect(almost.headers.get('retry-after')).toBe('1');
  clock.advance(1000);
  expect((await api.call(login, { body: { email, password } })).status).toBe(200);
});

test('the failures count across processes', async () => {
  const { email } = await signUp(app.url);
  await using other = await startTestApplication({
    clock,
    connectionString: app.connectionString,
    env: { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' },
  });
  const wrong = { body: { email, password: 'wrong password' } };
  const apis = [from('192.0.2.5'), createApiClient(other.url, { 'x-forwarded-for': '192.0.2.5' })];
  const burst = await Promise.all(apis.flatMap((api) => Array.from({ length: 20 }, () => api.refuse(login, wrong))));
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(10);
});

test('an unknown address is locked like a known one', async () => {
  const wrong = { body: { email: `${randomUUID()}@example.com`, password: 'wrong password' } };
  const burst = await Promise.all(Array.from({ length: 12 }, () => from('192.0.2.6').refuse(login, wrong)));
  expect(burst.filter(({ status }) => status === 429)).toHaveLength(2);
});

test('a success starts the count anew, and a burst of right passwords locks nobody out', async () => {
  const { email, password } = await signUp(app.url);
  const api = from('192.0.2.7');
  const wrong = { body: { email, password: 'wrong password' } };
  for (let round = 0; round < 2; round += 1) {
    for (let failure = 0; failure < 9; failure += 1) expect((await api.refuse(login, wrong)).status).toBe(401);
    expect((await api.call(login, { body: { email, password } })).status).toBe(200);
  }
  const burst = await Promise.all(Array.from({ length: 30 }, () => api.call(login, { body: { email, password } })));
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
});

test('all the addresses of one IPv6 subscriber count as one', async () => {
  const { email } = await signUp(app.url);
  const wrong = { body: { email, password: 'wrong password' } };
  for (let failure = 1; failure <= 10; failure += 1) await from(`2001:db8::${failure}`).refuse(login, wrong);
  expect((await from('2001:db8::ffff').refuse(login, wrong)).status).toBe(429);
  expect((await from('2001:db8:0:1::1').refuse(login, wrong)).status).toBe(401);
});

test.each([
  ['192.0.2.70', (port: number) => `192.0.2.70:${port}`],
  ['2001:db8:70::1', (port: number) => `203.0.113.9, [2001:db8:70::1]:${port}`],
])('a proxy that writes the port behind %s gives no connection attempts of its own', async (address, written) => {
  const { email } = await signUp(app.url);
  const wrong = { body: { email, password: 'wrong password' } };
  for (let port = 5121; port <= 5130; port += 1) await from(written(port)).refuse(login, wrong);
  expect((await from(address).refuse(login, wrong)).status).toBe(429);
});

test('a sign-in that a password change overtakes is refused', async () => {
  const { id, email, password } = await signUp(app.url);
  const { signIn } = await app.ctx.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ password_hash: 'another' }).where('id', '=', id).execute();
    const waitingSignIn = Promise.allSettled([from('192.0.2.8').refuse(login, { body: { email, password } })]);
    // The sign-in has proven the old password and waits for the change to be decided.
    await untilSomebodyWaits(app.ctx.pool);
    return { signIn: waitingSignIn };
  });
  const [outcome] = await signIn;
  expect(outcome).toMatchObject({ status: 'fulfilled', value: { status: 401 } });
});

const wrongFor = (email: string) => ({ body: { email, password: 'wrong password' } });
const strangers = (count: number) => Array.from({ length: count }, (_, index) => `203.0.113.${index + 1}`);

test('a network that tries the same password on many accounts is stopped, and others are not', async () => {
  const { email, password } = await signUp(app.url);
  const spray = await Promise.all(
    Array.from({ length: 90 }, () => from('192.0.2.10').refuse(login, wrongFor(`${randomUUID()}@example.com`))),
  );
  expect(spray.filter(({ status }) => status === 401)).toHaveLength(60);
  expect(spray.filter(({ status }) => status === 429)).toHaveLength(30);
  expect((await from('192.0.2.10').refuse(login, { body: { email, password } })).status).toBe(429);
  expect((await from('192.0.2.11').call(login, { body: { email, password } })).status).toBe(200);
});

test('an account that sixty networks try is closed to strangers, and its owner signs in from where they did before', async () => {
  const { email, password } = await signUp(app.url);
  await from('192.0.2.12').call(login, { body: { email, password } });
  const attack = await Promise.all(strangers(60).map((ip) => from(ip).refuse(login, wrongFor(email))));
  expect(attack.filter(({ status }) => status === 401)).toHaveLength(30);
  expect(attack.filter(({ status }) => status === 429)).toHaveLength(30);

  expect((await from('198.51.100.1').refuse(login, { body: { email, password } })).status).toBe(429);
  expect((await from('192.0.2.12').call(login, { body: { email, password } })).status).toBe(200);
  clock.advance(60 * minuteMs);
  expect((await from('198.51.100.1').call(login, { body: { email, password } })).status).toBe(200);
});

test('a right password among wrong ones does not give a network new attempts', async () => {
  const attacker = await signUp(app.url);
  const { email } = await signUp(app.url);
  const api = from('192.0.2.13');
  const guesses = async (count: number) => {
    const guess = () => api.refuse(login, wrongFor(`${randomUUID()}@example.com`));
    return (await Promise.all(Array.from({ length: count }, guess))).map(({ status }) => status);
  };
  expect(await guesses(31)).toEqual(Array.from({ length: 31 }, () => 401));
  // Its own account's sign-in counts for nothing, neither way.
  await api.call(login, { body: { email: attacker.email, password: attacker.password } });
  expect((await guesses(39)).filter((status) => status === 401)).toHaveLength(29);
  expect((await api.refuse(login, wrongFor(email))).status).toBe(429);
});

test('while a flood of guesses fills the queue, the owner signs in from a known network', async () => {
  const owner = await signUp(app.url);
  const victim = { body: { email: owner.email, password: owner.password } };
  await from('192.0.2.14').call(login, victim);
  // More than the queue takes, from one network, each for an account of its own.
  const flood = Promise.all(
    Array.from({ length: 160 }, () => from('192.0.2.15').refuse(login, wrongFor(`${randomUUID()}@example.com`))),
  );
  const signIns = await Promise.all(Array.from({ length: 9 }, () => from('192.0.2.14').call(login, victim)));
  expect(signIns.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
  expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([401, 429, 503]));
});
