import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  getCurrentUser,
  login,
  resetPassword,
  SignedIn,
  TwoFactorRequired,
  updatePassword,
} from '#contracts/accounts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { listSecurityEvents, signOutEverywhere } from '#contracts/security-events.ts';
import { getTeam } from '#contracts/team.ts';
import * as twoFactor from '#contracts/two-factor.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { patience } from '#tests/support/patience.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { codeOf as codeAt } from '#tests/support/totp-code.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

const minuteMs = 60_000;
const stepMs = 30_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const from = (ip: string) => createApiClient(app.url, { 'x-forwarded-for': ip });
const anyone = () => createApiClient(app.url);

const codeOf = (secret: string, steps = 0) => codeAt(secret, clock, steps);

type Protected = Customer & { secret: string; recoveryCodes: string[] };

/** A person with an authenticator app, whose next code has not been used. */
async function signUpProtected(): Promise<Protected> {
  const customer = await signUp(app.url);
  const { secret } = (await customer.api.call(twoFactor.setUpTotp)).body;
  const { body } = await customer.api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret) } });
  clock.advance(stepMs);
  return { ...customer, secret, recoveryCodes: body.recovery_codes };
}

async function challengeOf({ email, password }: Customer, api = anyone()): Promise<string> {
  const { body } = await api.call(login, { body: { email, password } });
  return TwoFactorRequired.parse(body).challenge;
}

/** Of a second step that may succeed or not, from an address of its own. */
async function statusOf(challenge: string, code: string, ip = '192.0.2.1'): Promise<number> {
  const { status } = await fetch(`${app.url}/api/auth/two-factor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify({ challenge, code }),
  });
  return status;
}

const step = (challenge: string, code: string) => ({ body: { challenge, code } });

test('a confirmed authenticator app is asked for at sign-in, and its code opens a new session', async () => {
  const customer = await signUp(app.url);
  const { email, password, api } = customer;
  const { body: begun } = await api.call(twoFactor.setUpTotp);
  expect(begun.otpauth_url).toContain(`secret=${begun.secret}`);
  expect(begun.otpauth_url).toMatch(/^otpauth:\/\/totp\/Dovepost/);
  expect(begun.qr_code).toMatch(/^data:image\/png;base64,/);
  // Nothing is asked for before a code has shown that the app has the secret.
  SignedIn.parse((await anyone().call(login, { body: { email, password } })).body);

  const { body: codes } = await api.call(twoFactor.confirmTotp, { body: { code: codeOf(begun.secret) } });
  expect(new Set(codes.recovery_codes).size).toBe(10);
  expect((await api.call(twoFactor.getTwoFactor)).body).toMatchObject({
    totp: { confirmed_at: clock.now().toISOString() },
    recovery_codes_left: 10,
    passkeys: 0,
  });
  expect((await api.call(getTeam)).body.members).toMatchObject([{ two_factor: true }]);

  const { body: asked } = await anyone().call(login, { body: { email, password } });
  expect(asked).toEqual({
    two_factor_required: true,
    challenge: expect.any(String),
    methods: ['totp', 'recovery_code'],
  });
  const { challenge } = TwoFactorRequired.parse(asked);
  // The code that confirmed counts as used; a wrong try leaves the challenge alive.
  const used = await anyone().refuse(twoFactor.signInWithCode, step(challenge, codeOf(begun.secret)));
  expect({ status: used.status, code: used.body.code }).toEqual({ status: 401, code: 'invalid_code' });
  clock.advance(stepMs);
  const { body } = await anyone().call(twoFactor.signInWithCode, step(challenge, codeOf(begun.secret)));
  expect(body.user.email).toBe(email);
  expect((await anyone().as({ authorization: body.token }).call(getCurrentUser)).status).toBe(200);

  const { body: events } = await api.call(listSecurityEvents, { query: {} });
  expect(events.data.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['two_factor_enabled', 'second_factor_failed', 'signed_in']),
  );
  const { body: acts } = await api.call(listAuditEvents, { query: {} });
  expect(acts.data.map(({ action }) => action)).toContain('user.two_factor_enabled');
});

test('codes count one step to either side, each once, and none before the newest that was used', async () => {
  const person = await signUpProtected();
  clock.advance(5 * stepMs);
  const tried = async (steps: number) => statusOf(await challengeOf(person), codeOf(person.secret, steps));
  expect(await tried(2)).toBe(401);
  expect(await tried(-2)).toBe(401);
  expect(await tried(-1)).toBe(200);
  expect(await tried(-1)).toBe(401);
  expect(await tried(1)).toBe(200);
  expect(await tried(0)).toBe(401);
});

test('a code and a challenge open one session, however many ask at once', async () => {
  const person = await signUpProtected();
  const [challenge, other] = [await challengeOf(person), await challengeOf(person)];
  const code = codeOf(person.secret);
  const answers = await Promise.all(
    [challenge, other, challenge, other].map((each, index) => statusOf(each, code, `192.0.2.${100 + index}`)),
  );
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
  expect(answers.filter((status) => status === 401)).toHaveLength(3);
});

test('five wrong codes in a row are followed by a pause, also for another challenge and the right code', async () => {
  const person = await signUpProtected();
  const api = from('198.51.100.7');
  const challenge = await challengeOf(person, api);
  const burst = await Promise.all(
    Array.from({ length: 20 }, () => api.refuse(twoFactor.signInWithCode, step(challenge, '000000'))),
  );
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(5);
  const paused = burst.filter(({ status }) => status === 429);
  expect(paused).toHaveLength(15);
  expect(paused[0]?.body.code).toBe('too_many_attempts');
  const again = await api.refuse(twoFactor.signInWithCode, step(await challengeOf(person, api), codeOf(person.secret)));
  expect(again.status).toBe(429);
  expect(Number(again.headers.get('retry-after'))).toBe(15 * 60);
  clock.advance(15 * minuteMs);
  const later = await api.call(twoFactor.signInWithCode, step(await challengeOf(person, api), codeOf(person.secret)));
  expect(later.status).toBe(200);
});

test('strangers from many networks have twenty guesses an hour, and none of them locks the person out', async () => {
  const person = await signUpProtected();
  const home = from('203.0.113.9');
  await home.call(twoFactor.signInWithCode, step(await challengeOf(person, home), codeOf(person.secret)));
  const challenge = await challengeOf(person);
  const guesses = [];
  for (let network = 0; network < 30; network += 1) {
    guesses.push(
      (await from(`198.18.${network}.1`).refuse(twoFactor.signInWithCode, step(challenge, '000000'))).status,
    );
  }
  expect(guesses.filter((status) => status === 401)).toHaveLength(20);
  expect(guesses.filter((status) => status === 429)).toHaveLength(10);
  clock.advance(stepMs);
  const signedIn = await home.call(
    twoFactor.signInWithCode,
    step(await challengeOf(person, home), codeOf(person.secret)),
  );
  expect(signedIn.status).toBe(200);
});

test('a recovery code signs in once, however it is typed', async () => {
  const person = await signUpProtected();
  const [first = '', second = ''] = person.recoveryCodes;
  const typed = first.toUpperCase().replaceAll('-', ' ');
  const { body } = await anyone().call(twoFactor.signInWithCode, step(await challengeOf(person), typed));
  const api = anyone().as({ authorization: body.token });
  expect((await api.call(twoFactor.getTwoFactor)).body.recovery_codes_left).toBe(9);
  const again = await anyone().refuse(twoFactor.signInWithCode, step(await challengeOf(person), first));
  expect(again.body.code).toBe('invalid_code');

  const { body: renewed } = await api.call(twoFactor.replaceRecoveryCodes);
  expect(renewed.recovery_codes).toHaveLength(10);
  const old = await anyone().refuse(twoFactor.signInWithCode, step(await challengeOf(person), second));
  expect(old.body.code).toBe('invalid_code');
});

test('a challenge is no session, ends after ten minutes, and is of no use with the codes of somebody else', async () => {
  const [person, thief] = [await signUpProtected(), await signUpProtected()];
  const challenge = await challengeOf(person);
  expect((await anyone().as({ authorization: challenge }).refuse(getCurrentUser)).status).toBe(401);
  for (const code of [codeOf(thief.secret), thief.recoveryCodes[0] ?? '']) {
    expect((await anyone().refuse(twoFactor.signInWithCode, step(challenge, code))).body.code).toBe('invalid_code');
  }
  clock.advance(10 * minuteMs);
  const late = await anyone().refuse(twoFactor.signInWithCode, step(challenge, codeOf(person.secret)));
  expect({ status: late.status, code: late.body.code }).toEqual({ status: 401, code: 'invalid_challenge' });
  for (const made of ['x', person.token, `dpc_${'0'.repeat(49)}`]) {
    expect((await anyone().refuse(twoFactor.signInWithCode, step(made, '000000'))).body.code).toBe('invalid_challenge');
  }
});

test('the token of a session before the second step opens nothing of the new one', async () => {
  const person = await signUpProtected();
  const fixed = anyone().as({ authorization: person.token });
  const challenge = await challengeOf(person, fixed);
  const { body } = await fixed.call(twoFactor.signInWithCode, step(challenge, codeOf(person.secret)));
  expect(body.token).not.toBe(person.token);
  const again = await fixed.refuse(twoFactor.signInWithCode, step(challenge, codeOf(person.secret, 1)));
  expect(again.body.code).toBe('invalid_challenge');
});

test('a password changed meanwhile, or signing out everywhere, ends the sign-ins that are under way', async () => {
  const person = await signUpProtected();
  const before = await challengeOf(person);
  const newPassword = 'another correct horse';
  await person.api.call(updatePassword, { body: { currentPassword: person.password, newPassword } });
  const refused = await anyone().refuse(twoFactor.signInWithCode, step(before, codeOf(person.secret)));
  expect(refused.body.code).toBe('invalid_challenge');
  const after = await challengeOf({ ...person, password: newPassword });
  await person.api.call(signOutEverywhere);
  const ended = await anyone().refuse(twoFactor.signInWithCode, step(after, codeOf(person.secret)));
  expect(ended.body.code).toBe('invalid_challenge');
});

test('a sign-in whose password was proven before the factor was confirmed is asked for it', async () => {
  const person = await signUp(app.url);
  const { email, password } = person;
  const { secret } = (await person.api.call(twoFactor.setUpTotp)).body;
  const opened = Promise.withResolvers<void>();
  const held = app.ctx.db.transaction().execute(async (db) => {
    await db.selectFrom('users').select('id').where('id', '=', person.id).forNoKeyUpdate().execute();
    await db
      .updateTable('totp_factors')
      .set({ confirmed_at: clock.now() })
      .where('account_id', '=', person.id)
      .execute();
    await opened.promise;
  });
  const signingIn = anyone().call(login, { body: { email, password } });
  await untilSomebodyWaits(app.ctx.pool);
  opened.resolve();
  await held;
  const { challenge } = TwoFactorRequired.parse((await signingIn).body);
  expect((await anyone().call(twoFactor.signInWithCode, step(challenge, codeOf(secret)))).status).toBe(200);
});

test('a remembered browser signs in by the password for 30 days; elsewhere the code is asked for', async () => {
  const person = await signUpProtected();
  const { email, password } = person;
  const remembering = {
    body: { ...step(await challengeOf(person), codeOf(person.secret)).body, remember_device: true },
  };
  const { headers } = await anyone().call(twoFactor.signInWithCode, remembering);
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^dovepost_device=dpd_\w+; Max-Age=2592000; Path=\/api\/auth\/login; HttpOnly; SameSite=Strict$/,
  );
  const browser = anyone().as({ cookie: `theme=dark; ${cookie.split(';')[0]}` });
  const { token } = SignedIn.parse((await browser.call(login, { body: { email, password } })).body);
  // The device stands for no proof: what protects the sign-in is not changed by password and cookie.
  const api = anyone().as({ authorization: token });
  expect((await api.refuse(twoFactor.removeTotp)).body.code).toBe('confirm_identity');
  await challengeOf(person);
  const other = await signUpProtected();
  await challengeOf(other, browser);
  clock.advance(30 * 86_400_000);
  await challengeOf(person, browser);
});

test('sensitive acts ask again after 15 minutes, for the code where there is one', async () => {
  const person = await signUp(app.url);
  const { api, password } = person;
  clock.advance(15 * minuteMs);
  const refused = await api.refuse(twoFactor.setUpTotp);
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'confirm_identity' });
  const wrong = await api.refuse(twoFactor.confirmIdentity, { body: { password: 'wrong password' } });
  expect(wrong.body.errors).toEqual([{ path: 'password', message: 'The password is wrong' }]);
  const { body } = await api.call(twoFactor.confirmIdentity, { body: { password } });
  expect(body.confirmed_until).toBe(new Date(clock.now().getTime() + 15 * minuteMs).toISOString());
  const { secret } = (await api.call(twoFactor.setUpTotp)).body;
  await api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret) } });

  clock.advance(15 * minuteMs);
  expect((await api.refuse(twoFactor.removeTotp)).body.code).toBe('confirm_identity');
  expect((await api.refuse(twoFactor.confirmIdentity, { body: { password } })).body.errors?.[0]?.path).toBe('code');
  const guessed = await api.refuse(twoFactor.confirmIdentity, { body: { code: '000000' } });
  expect({ status: guessed.status, path: guessed.body.errors?.[0]?.path }).toEqual({ status: 422, path: 'code' });
  await api.call(twoFactor.confirmIdentity, { body: { code: codeOf(secret) } });
  expect((await api.call(twoFactor.removeTotp)).status).toBe(204);
  expect((await api.call(twoFactor.getTwoFactor)).body).toMatchObject({
    totp: null,
    recovery_codes_left: 0,
    passkeys: 0,
  });
  SignedIn.parse((await anyone().call(login, { body: { email: person.email, password } })).body);
  const { body: acts } = await api.call(listAuditEvents, { query: {} });
  expect(acts.data.map(({ action }) => action)).toContain('user.two_factor_removed');
});

async function signInWith(person: Customer, secret: string) {
  const { body } = await anyone().call(twoFactor.signInWithCode, step(await challengeOf(person), codeOf(secret)));
  return anyone().as({ authorization: body.token });
}

test('another app takes the place of the one before once its code is confirmed, and ends other sessions', async () => {
  const person = await signUpProtected();
  const query = { replace: 'true' } as const;
  const begin = async () => (await person.api.call(twoFactor.setUpTotp, { query })).body;
  const { secret, replacement = '' } = await begin();
  const other = await signUpProtected();
  const foreign = await other.api.refuse(twoFactor.confirmTotp, { body: { code: codeOf(secret), replacement } });
  expect(foreign.body.errors?.[0]?.path).toBe('replacement');
  const wrong = await person.api.refuse(twoFactor.confirmTotp, { body: { code: '000000', replacement } });
  expect(wrong.body.errors?.[0]?.path).toBe('code');
  const elsewhere = await signInWith(person, person.secret);
  const { body } = await person.api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret), replacement } });
  expect(body.recovery_codes).toEqual([]);
  expect((await elsewhere.refuse(twoFactor.getTwoFactor)).status).toBe(401);
  const again = await person.api.refuse(twoFactor.confirmTotp, { body: { code: codeOf(secret), replacement } });
  expect(again.body.errors?.[0]?.path).toBe('replacement');
  const late = await begin();
  clock.advance(11 * minuteMs);
  const ended = await person.api.refuse(twoFactor.confirmTotp, {
    body: { code: codeOf(late.secret), replacement: late.replacement },
  });
  expect(ended.body.errors?.[0]?.path).toBe('replacement');
  expect((await (await signInWith(person, secret)).call(twoFactor.getTwoFactor)).status).toBe(200);
  const nobody = await signUp(app.url);
  expect((await nobody.api.refuse(twoFactor.setUpTotp, { query })).status).toBe(404);
});

test('an app that is set up is not replaced, and without one there is nothing to remove or confirm', async () => {
  const person = await signUpProtected();
  expect((await person.api.refuse(twoFactor.setUpTotp)).body.code).toBe('two_factor_active');
  const again = await person.api.refuse(twoFactor.confirmTotp, { body: { code: codeOf(person.secret) } });
  expect(again.body.code).toBe('two_factor_active');
  const other = await signUp(app.url);
  expect((await other.api.refuse(twoFactor.removeTotp)).status).toBe(404);
  expect((await other.api.refuse(twoFactor.replaceRecoveryCodes)).status).toBe(404);
  expect((await other.api.refuse(twoFactor.confirmTotp, { body: { code: '000000' } })).status).toBe(404);
  await other.api.call(twoFactor.setUpTotp);
  const wrong = await other.api.refuse(twoFactor.confirmTotp, { body: { code: '000000' } });
  expect({ status: wrong.status, path: wrong.body.errors?.[0]?.path }).toEqual({ status: 422, path: 'code' });
});

test('wrong codes count across processes and restarts', async () => {
  const secretKey = randomBytes(32);
  const env = { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' };
  await using first = await startTestApplication({ clock, env, secretKey });
  const { connectionString } = first;
  const customer = await signUp(first.url);
  const { secret } = (await customer.api.call(twoFactor.setUpTotp)).body;
  await customer.api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret) } });
  clock.advance(stepMs);
  const at = ({ url }: { url: string }) => createApiClient(url, { 'x-forwarded-for': '198.51.100.17' });
  const challenge = await challengeOf(customer, at(first));
  const tries = (one: { url: string }, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => at(one).refuse(twoFactor.signInWithCode, step(challenge, '000000'))),
    );
  {
    await using second = await startTestApplication({ clock, env, secretKey, connectionString });
    const burst = (await Promise.all([tries(first, 2), tries(second, 2)])).flat();
    expect(burst.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  }
  await using started = await startTestApplication({ clock, env, secretKey, connectionString });
  const more = (await tries(started, 3)).map(({ status }) => status);
  expect(more.filter((status) => status === 401)).toHaveLength(1);
  expect(more.filter((status) => status === 429)).toHaveLength(2);
  const right = await at(first).refuse(twoFactor.signInWithCode, step(challenge, codeOf(secret)));
  expect(right.body.code).toBe('too_many_attempts');
  clock.advance(15 * minuteMs);
  const fresh = await challengeOf(customer, at(started));
  expect((await at(started).call(twoFactor.signInWithCode, step(fresh, codeOf(secret)))).status).toBe(200);
});

test('a recovery code opens one session, however many ask at once', async () => {
  const person = await signUpProtected();
  const [code = ''] = person.recoveryCodes;
  const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeOf(person)));
  const answers = await Promise.all(
    challenges.map((challenge, index) => statusOf(challenge, code, `192.0.2.${150 + index}`)),
  );
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
  expect(answers.filter((status) => status === 401)).toHaveLength(3);
});

test('the link to reset a password does not stand in for the factor', async () => {
  const person = await signUpProtected();
  const token = createToken('reset');
  await app.ctx.db
    .insertInto('password_resets')
    .values({
      account_id: person.id,
      token_hash: hashToken(token),
      expires_at: new Date(clock.now().getTime() + 60 * minuteMs),
    })
    .execute();
  const password = 'a third correct horse';
  const { body } = await anyone().call(resetPassword, { body: { token, password } });
  expect(body).not.toHaveProperty('token');
  const challenge = await challengeOf({ ...person, password });
  expect(await statusOf(challenge, codeOf(person.secret))).toBe(200);
});

type Change = (person: Protected) => Promise<unknown>;
const newPassword = 'another correct horse';
const forgetting: Record<string, Change> = {
  'a new password': ({ api, password }) =>
    api.call(updatePassword, { body: { currentPassword: password, newPassword } }),
  'signing out everywhere': ({ api }) => api.call(signOutEverywhere),
  'removing the app and setting it up again': async ({ api }) => {
    await api.call(twoFactor.removeTotp);
    const { secret } = (await api.call(twoFactor.setUpTotp)).body;
    await api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret) } });
  },
};

test.each(Object.entries(forgetting))('%s forgets remembered browsers', async (_, change) => {
  const person = await signUpProtected();
  const remembering = { ...step(await challengeOf(person), codeOf(person.secret)).body, remember_device: true };
  const { headers } = await anyone().call(twoFactor.signInWithCode, { body: remembering });
  const browser = anyone().as({ cookie: headers.get('set-cookie')?.split(';')[0] ?? '' });
  SignedIn.parse((await browser.call(login, { body: { email: person.email, password: person.password } })).body);
  await change(person);
  const password = change === forgetting['a new password'] ? newPassword : person.password;
  await challengeOf({ ...person, password }, browser);
});

/** Whether a stream of the session has ended. */
async function openStream(token: string): Promise<{ isOver: boolean; close(): void }> {
  const leaving = new AbortController();
  const response = await fetch(`${app.url}/api/events`, { headers: { authorization: token }, signal: leaving.signal });
  expect(response.status).toBe(200);
  const stream = { isOver: false, close: () => leaving.abort() };
  void response.text().then(
    () => (stream.isOver = true),
    () => (stream.isOver = true),
  );
  return stream;
}

async function signInOnce({ email, password }: Customer, secret?: string): Promise<string> {
  const { body } = await anyone().call(login, { body: { email, password } });
  if (secret === undefined) return SignedIn.parse(body).token;
  clock.advance(stepMs);
  const { challenge } = TwoFactorRequired.parse(body);
  return (await anyone().call(twoFactor.signInWithCode, step(challenge, codeOf(secret)))).body.token;
}

test('a factor that is switched on or off, and a new password, end every other session with its streams', async () => {
  const person = await signUpSubscriber(app.url);
  const { api, password } = person;
  let secret = '';
  const changes: [string, () => Promise<unknown>][] = [
    [
      'on',
      async () => {
        secret = (await api.call(twoFactor.setUpTotp)).body.secret;
        await api.call(twoFactor.confirmTotp, { body: { code: codeOf(secret) } });
      },
    ],
    ['off', () => api.call(twoFactor.removeTotp)],
    ['password', () => api.call(updatePassword, { body: { currentPassword: password, newPassword } })],
  ];
  for (const [name, change] of changes) {
    const other = await signInOnce(person, name === 'off' ? secret : undefined);
    const [mine, theirs] = [await openStream(person.token), await openStream(other)];
    await change();
    await expect.poll(() => theirs.isOver, patience).toBe(true);
    expect((await anyone().as({ authorization: other }).refuse(getCurrentUser)).status).toBe(401);
    expect((await api.call(getCurrentUser)).status).toBe(200);
    expect([name, mine.isOver]).toEqual([name, false]);
    mine.close();
  }
});
