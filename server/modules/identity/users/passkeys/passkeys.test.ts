import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, TwoFactorRequired } from '#contracts/accounts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import * as passkeys from '#contracts/passkeys.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { acceptInvitation, beginJoiningWithPasskey, getTeam, invite } from '#contracts/team.ts';
import * as twoFactor from '#contracts/two-factor.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createAuthenticator } from '#tests/support/passkey-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const origin = 'https://dovepost.example';
const minuteMs = 60_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api', PUBLIC_URL: origin, PAYMENTS: 'test' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const anyone = () => createApiClient(app.url);

type WithPasskey = Customer & { device: ReturnType<typeof createAuthenticator>; codes: string[]; passkeyId: number };

async function addTo(customer: Customer, device = createAuthenticator(origin)) {
  const { options } = (await customer.api.call(passkeys.beginPasskey)).body;
  return (await customer.api.call(passkeys.addPasskey, { body: { response: device.register(options) } })).body;
}

async function signUpWithPasskey(): Promise<WithPasskey> {
  const customer = await signUp(app.url);
  const device = createAuthenticator(origin);
  const added = await addTo(customer, device);
  return { ...customer, device, codes: added.recovery_codes ?? [], passkeyId: added.id };
}

const question = async () => (await anyone().call(passkeys.beginPasskeySignIn)).body.options;

async function challengeOf({ email, password }: Customer): Promise<TwoFactorRequired> {
  return TwoFactorRequired.parse((await anyone().call(login, { body: { email, password } })).body);
}

const stepOptions = async (challenge: string) =>
  (await anyone().call(passkeys.beginPasskeyStep, { body: { challenge } })).body.options;

async function codeOf(response: object): Promise<string> {
  return (await anyone().refuse(passkeys.signInWithPasskey, { body: { response: { ...response } } })).body.code;
}

test('a passkey is added, signs in alone and beside the password, and is listed, renamed and removed', async () => {
  const customer = await signUp(app.url);
  const device = createAuthenticator(origin);
  const { options } = (await customer.api.call(passkeys.beginPasskey)).body;
  expect(options).toMatchObject({
    rp: { id: 'dovepost.example' },
    user: { name: customer.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const body = { name: 'Laptop', response: device.register(options) };
  const { body: added } = await customer.api.call(passkeys.addPasskey, { body });
  expect(added).toMatchObject({ name: 'Laptop', is_synced: false, last_used_at: null });
  expect(added.recovery_codes).toHaveLength(10);
  expect((await customer.api.call(getTeam)).body.members).toMatchObject([{ two_factor: true }]);
  expect((await customer.api.call(twoFactor.getTwoFactor)).body).toMatchObject({
    totp: null,
    passkeys: 1,
    recovery_codes_left: 10,
  });

  const alone = await question();
  expect(alone).toMatchObject({ rpId: 'dovepost.example', userVerification: 'required', allowCredentials: [] });
  const { body: signedIn } = await anyone().call(passkeys.signInWithPasskey, {
    body: { response: device.answer(alone) },
  });
  expect(signedIn.user).toMatchObject({ id: customer.id, api_key: customer.apiKey });
  const api = anyone().as({ authorization: signedIn.token });

  const { challenge, methods } = await challengeOf(customer);
  expect(methods).toEqual(['passkey', 'recovery_code']);
  const asked = await stepOptions(challenge);
  expect(asked).toMatchObject({ allowCredentials: [{ id: body.response.id }] });
  const { body: second } = await anyone().call(twoFactor.signInWithCode, {
    body: { challenge, passkey: device.answer(asked, { isVerified: false }) },
  });
  expect(second.user.id).toBe(customer.id);

  const params = { passkeyId: added.id };
  expect((await api.call(passkeys.renamePasskey, { params, body: { name: 'Old laptop' } })).body.name).toBe(
    'Old laptop',
  );
  expect((await api.call(passkeys.listPasskeys)).body.data).toMatchObject([
    { name: 'Old laptop', last_used_at: clock.now().toISOString() },
  ]);
  expect((await api.call(passkeys.removePasskey, { params })).status).toBe(204);
  expect((await api.call(twoFactor.getTwoFactor)).body.recovery_codes_left).toBe(0);
  expect(await codeOf(device.answer(await question()))).toBe('invalid_passkey');
  const events = (await api.call(listSecurityEvents, { query: {} })).body.data.map(({ type }) => type);
  expect(events).toEqual(expect.arrayContaining(['passkey_added', 'passkey_removed']));
  const acts = (await api.call(listAuditEvents, { query: {} })).body.data.map(({ action }) => action);
  expect(acts).toEqual(expect.arrayContaining(['user.passkey_added', 'user.passkey_renamed', 'user.passkey_removed']));
});

test('an answer counts once, and only for the question that it was made for', async () => {
  const { device } = await signUpWithPasskey();
  const answer = device.answer(await question());
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      fetch(`${app.url}/api/auth/passkey`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ response: answer }),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  expect(await codeOf(device.answer(await question(), { challenge: 'made-up' }))).toBe('invalid_passkey');
  const late = device.answer(await question());
  clock.advance(5 * minuteMs);
  expect(await codeOf(late)).toBe('invalid_passkey');
});

test('another origin, a copy whose counter stands still, and a device that has seen nobody are refused', async () => {
  const { device } = await signUpWithPasskey();
  expect(await codeOf(device.answer(await question(), { origin: 'https://dovep0st.example' }))).toBe('invalid_passkey');
  expect(await codeOf(device.answer(await question(), { isVerified: false }))).toBe('invalid_passkey');
  const rightful = device.answer(await question(), { counter: 40 });
  await anyone().call(passkeys.signInWithPasskey, { body: { response: rightful } });
  expect(await codeOf(device.answer(await question(), { counter: 40 }))).toBe('invalid_passkey');
  expect(await codeOf(device.answer(await question(), { counter: 12 }))).toBe('invalid_passkey');
  const stranger = createAuthenticator(origin);
  stranger.register({ challenge: 'x', user: { id: 'x' }, rp: { id: 'dovepost.example' } });
  expect(await codeOf(stranger.answer(await question()))).toBe('invalid_passkey');
  const { body } = await anyone().refuse(passkeys.signInWithPasskey, { body: { response: { id: 'x' } } });
  expect(body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'response' }] });
});

test('a question belongs to its sign-in or session: stolen ones open nothing', async () => {
  const [person, thief] = [await signUpWithPasskey(), await signUpWithPasskey()];
  const { challenge } = await challengeOf(person);
  const own = await challengeOf(thief);
  const asked = await stepOptions(challenge);
  const tries = [
    // Of the thief's device, for the victim's sign-in, and of the victim's, for the thief's.
    { challenge, passkey: thief.device.answer(asked) },
    { challenge: own.challenge, passkey: person.device.answer(await stepOptions(challenge)) },
    // An answer for signing in alone is none for the second step.
    { challenge, passkey: person.device.answer(await question()) },
    // There is no app that would show a code.
    { challenge, code: '000000' },
  ];
  for (const body of tries) {
    const refused = await anyone().refuse(twoFactor.signInWithCode, { body });
    expect(refused.status).toBe(401);
  }
  const rightful = { challenge, passkey: person.device.answer(await stepOptions(challenge)) };
  const { body } = await anyone().call(twoFactor.signInWithCode, { body: rightful });
  expect(body.user.id).toBe(person.id);

  const { options } = (await person.api.call(passkeys.beginPasskey)).body;
  const planted = { response: createAuthenticator(origin).register(options) };
  const refused = await thief.api.refuse(passkeys.addPasskey, { body: planted });
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 422, code: 'passkey_refused' });
  const foreign = { params: { passkeyId: person.passkeyId } };
  expect((await thief.api.refuse(passkeys.removePasskey, foreign)).status).toBe(404);
  expect((await thief.api.refuse(passkeys.renamePasskey, { ...foreign, body: { name: 'Mine' } })).status).toBe(404);
});

test('a known passkey is not added twice, and none without a fingerprint, a face or a PIN', async () => {
  const person = await signUpWithPasskey();
  const other = await signUp(app.url);
  const begin = async () => (await other.api.call(passkeys.beginPasskey)).body.options;
  const answers = [
    person.device.register(await begin()),
    createAuthenticator(origin).register(await begin(), { isVerified: false }),
    createAuthenticator('https://dovep0st.example').register(await begin()),
  ];
  for (const response of answers) {
    const options = await begin();
    const { challenge } = options as { challenge: string };
    const clientDataJSON = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString()) as object;
    const fresh = Buffer.from(JSON.stringify({ ...clientDataJSON, challenge })).toString('base64url');
    const body = { response: { ...response, response: { ...response.response, clientDataJSON: fresh } } };
    expect((await other.api.refuse(passkeys.addPasskey, { body })).body.code).toBe('passkey_refused');
  }
  expect((await other.api.call(passkeys.listPasskeys)).body.data).toEqual([]);
});

test('the first factor ends the other sessions; the passkey confirms sensitive acts', async () => {
  const customer = await signUp(app.url);
  const { email, password } = customer;
  const { body: other } = await anyone().call(login, { body: { email, password } });
  const elsewhere = anyone().as({ authorization: 'token' in other ? other.token : '' });
  expect((await elsewhere.call(getCurrentUser)).status).toBe(200);
  const device = createAuthenticator(origin);
  await addTo(customer, device);
  expect((await elsewhere.refuse(getCurrentUser)).status).toBe(401);
  expect((await customer.api.call(getCurrentUser)).status).toBe(200);

  clock.advance(15 * minuteMs);
  expect((await customer.api.refuse(passkeys.beginPasskey)).body.code).toBe('confirm_identity');
  // A second factor is not replaced by the password.
  expect((await customer.api.refuse(twoFactor.confirmIdentity, { body: { password } })).status).toBe(422);
  const { options } = (await customer.api.call(passkeys.beginPasskeyConfirmation)).body;
  await customer.api.call(twoFactor.confirmIdentity, { body: { passkey: device.answer(options) } });
  expect((await addTo(customer)).recovery_codes).toBeNull();
  expect((await customer.api.call(passkeys.listPasskeys)).body.data.map(({ name }) => name)).toEqual([
    'Passkey 2',
    'Passkey 1',
  ]);
});

test('somebody new joins with a passkey in place of a password, and signs in with it alone', async () => {
  const owner = await signUp(app.url);
  const email = `joins-${owner.id}@example.com`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'agent' } });
  const params = { token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1) };
  const begin = async () =>
    (await anyone().call(beginJoiningWithPasskey, { params, body: { name: 'Grace' } })).body.options;
  const refuse = async (body: object) => {
    const { status, body: problem } = await anyone().refuse(acceptInvitation, { params, body });
    return [status, problem.code, ...(problem.errors ?? []).map(({ path }) => path)];
  };
  const device = createAuthenticator(origin);
  const options = await begin();
  expect(options).toMatchObject({ rp: { id: 'dovepost.example' }, user: { name: email, displayName: 'Grace' } });

  // Of another site, of another question, of a session's question, and without a name.
  expect(
    await refuse({ name: 'Grace', passkey: device.register(options, { origin: 'https://elsewhere.example' }) }),
  ).toEqual([422, 'passkey_refused']);
  const ofSession = (await owner.api.call(passkeys.beginPasskey)).body.options;
  expect(await refuse({ name: 'Grace', passkey: device.register(ofSession) })).toEqual([422, 'passkey_refused']);
  const unasked = { ...options, challenge: 'AAAA' };
  expect(await refuse({ name: 'Grace', passkey: device.register(unasked) })).toEqual([422, 'passkey_refused']);
  expect(await refuse({ name: 'Grace', passkey: {} })).toEqual([422, 'invalid_input', 'passkey']);
  expect((await refuse({ passkey: device.register(await begin()) }))[0]).toBe(422);

  const passkey = device.register(await begin());
  const { body: joined } = await anyone().call(acceptInvitation, { params, body: { name: 'Grace', passkey } });
  expect(joined.user).toMatchObject({ name: 'Grace', email, api_key: null });
  expect(joined.recovery_codes).toHaveLength(10);
  const { members } = (await owner.api.call(getTeam)).body;
  expect(members).toContainEqual(expect.objectContaining({ email, role: 'agent', two_factor: true }));
  const grace = createApiClient(app.url, { authorization: joined.token });
  const { body: own } = await grace.call(passkeys.listPasskeys);
  expect(own.data).toMatchObject([{ name: 'Passkey 1', last_used_at: null }]);
  // Its last way in stays.
  const passkeyId = own.data[0]?.id ?? 0;
  expect((await grace.refuse(passkeys.removePasskey, { params: { passkeyId } })).body.code).toBe('last_way_in');
  expect((await refuse({ name: 'Grace', passkey }))[0]).toBe(404);

  const { body: again } = await anyone().call(passkeys.signInWithPasskey, {
    body: { response: device.answer(await question()) },
  });
  expect(again.user.email).toBe(email);
  expect((await anyone().refuse(login, { body: { email, password: 'correct horse battery' } })).status).toBe(401);
});

test('an address that somebody has begins no passkey, and an ended link neither', async () => {
  const [owner, known] = [await signUp(app.url), await signUp(app.url)];
  const { body: invitation } = await owner.api.call(invite, { body: { email: known.email, role: 'viewer' } });
  const params = { token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1) };
  const body = { name: 'Grace' };
  expect((await anyone().refuse(beginJoiningWithPasskey, { params, body })).body.code).toBe('email_taken');
  clock.advance(8 * 24 * 60 * minuteMs);
  expect((await anyone().refuse(beginJoiningWithPasskey, { params, body })).body.code).toBe('invitation_expired');
  expect((await anyone().refuse(beginJoiningWithPasskey, { params: { token: 'dpi_x' }, body })).status).toBe(404);
});
