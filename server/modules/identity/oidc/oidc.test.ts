import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, resetPassword, SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import { createAccountKey } from '#contracts/account-keys.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import * as contract from '#contracts/oidc.ts';
import { removePasskey } from '#contracts/passkeys.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { getInvitation, getTeam, invite } from '#contracts/team.ts';
import { confirmIdentity, confirmTotp, getTwoFactor, setUpTotp } from '#contracts/two-factor.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { startIdentityProvider } from '#tests/support/identity-provider.ts';
import type { IdentityProviderStandIn } from '#tests/support/identity-provider.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { codeOf } from '#tests/support/totp-code.ts';

const minuteMs = 60_000;
const clock = createTestClock();
const publicUrl = 'https://dovepost.example';
const redirectUri = `${publicUrl}/login/callback`;
let provider: IdentityProviderStandIn;
let app: TestApplication;

const envOf = (more: Record<string, string> = {}) => ({
  ROLES: 'api',
  PAYMENTS: 'test',
  PUBLIC_URL: publicUrl,
  ...provider.env,
  ...more,
});

beforeAll(async () => {
  provider = await startIdentityProvider(redirectUri);
  app = await startTestApplication({ clock, env: envOf() });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider.stop();
});

let known = 0;

/** Somebody whom the provider knows. */
function personAtProvider(email?: string, more: Record<string, unknown> = {}) {
  known += 1;
  const subject = `subject-${known}`;
  const person = { email: email ?? `${subject}@example.com`, email_verified: true, name: 'Grace Hopper', ...more };
  provider.people.set(subject, person);
  return { subject, email: person.email };
}

type Begun = { url: string; cookie: string };

async function begin(url = app.url): Promise<Begun> {
  const { body, headers } = await createApiClient(url).call(contract.beginOidc);
  return { url: body.url, cookie: cookieOf(headers) };
}

const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? '';

const answerIn = (address: URL) => Object.fromEntries(address.searchParams) as { code: string; state: string };

/** Through the provider and back, as a browser goes. */
async function comeBack(subject: string, url = app.url): Promise<Begun & { answer: { code: string; state: string } }> {
  const begun = await begin(url);
  return { ...begun, answer: answerIn(await provider.visit(begun.url, subject)) };
}

type More = { invitation?: string; timezone?: string };

async function signInAs(subject: string, { url = app.url, ...more }: More & { url?: string } = {}) {
  const { cookie, answer } = await comeBack(subject, url);
  return createApiClient(url, { cookie }).call(contract.signInWithOidc, { body: { ...answer, ...more } });
}

async function refusalOf(subject: string, { url = app.url, ...more }: More & { url?: string } = {}) {
  const { cookie, answer } = await comeBack(subject, url);
  const api = createApiClient(url, { cookie });
  const { status, body } = await api.refuse(contract.signInWithOidc, { body: { ...answer, ...more } });
  return [status, body.code];
}

const sessionOf = (body: unknown) => SignedIn.parse(body);
const apiOf = ({ token }: { token: string }, url = app.url) => createApiClient(url, { authorization: token });

async function countSessions(): Promise<number> {
  return (await app.ctx.db.selectFrom('sessions').select('token_hash').execute()).length;
}

test('the ways of signing in are told, and without the settings there is none by a provider', async () => {
  const { body } = await createApiClient(app.url).call(contract.getSignInOptions);
  expect(body).toEqual({ sign_up: 'open', oidc: { label: 'Example ID' } });
  await using without = await startTestApplication({ env: { ROLES: 'api' } });
  const anyone = createApiClient(without.url);
  expect((await anyone.call(contract.getSignInOptions)).body.oidc).toBeNull();
  expect((await anyone.refuse(contract.beginOidc)).body.code).toBe('oidc_off');
});

test('somebody new signs up, and is the same person by the subject whatever becomes of the address there', async () => {
  const { subject, email } = personAtProvider(undefined, { name: 'Grace\u0000 Hopper' });
  const { body, headers } = await signInAs(subject, { timezone: 'Europe/Lisbon' });
  const first = sessionOf(body);
  expect(first.user).toMatchObject({ name: 'Grace  Hopper', email, email_confirmed: true, timezone: 'Europe/Lisbon' });
  expect(headers.get('set-cookie')).toMatch(/^dovepost_oidc=; Max-Age=0/);
  expect((await apiOf(first).call(getCurrentUser)).body.user.id).toBe(first.user.id);
  expect((await apiOf(first).call(getTwoFactor)).body).toMatchObject({
    has_password: false,
    oidc: { label: 'Example ID' },
  });
  provider.people.set(subject, { email: 'renamed@example.com', email_verified: false });
  const again = sessionOf((await signInAs(subject)).body);
  expect(again.user).toMatchObject({ id: first.user.id, email });
  expect(again.token).not.toBe(first.token);
  const events = (await apiOf(again).call(listSecurityEvents)).body.data.map(({ type }) => type);
  expect(events).toEqual(['signed_in', 'identity_linked', 'signed_up']);
  // No password opens what has none.
  for (const password of ['A', 'A'.repeat(43), first.token]) {
    const refused = await createApiClient(app.url).refuse(login, { body: { email, password } });
    expect(refused.status).toBe(401);
  }
});

test('a person with the same verified address is signed in; one whose address is not verified is nobody', async () => {
  const customer = await signUp(app.url);
  const unverified = personAtProvider(customer.email, { email_verified: false });
  expect(await refusalOf(unverified.subject)).toEqual([403, 'email_not_verified']);
  const silent = personAtProvider(customer.email, { email_verified: undefined });
  expect(await refusalOf(silent.subject)).toEqual([403, 'email_not_verified']);
  const { subject } = personAtProvider(customer.email.toUpperCase());
  const { user } = sessionOf((await signInAs(subject)).body);
  expect(user.id).toBe(customer.id);
  // The password and the session of before go on.
  expect((await customer.api.call(getTwoFactor)).body).toMatchObject({ has_password: true });
  // The provider gave the address to somebody else.
  const successor = personAtProvider(customer.email);
  expect(await refusalOf(successor.subject)).toEqual([403, 'other_identity']);
});

test('an address that nobody has confirmed is taken from who signed up with it, with all that they left', async () => {
  const stranger = await signUpSubscriber(app.url);
  const { body: key } = await stranger.api.call(createAccountKey, {
    body: { name: 'Mine', scopes: ['contacts:read'] },
  });
  await app.ctx.db
    .updateTable('users')
    .set({ email_unconfirmed_since: clock.now() })
    .where('id', '=', stranger.id)
    .execute();
  const { subject } = personAtProvider(stranger.email);
  const { user } = sessionOf((await signInAs(subject)).body);
  expect(user).toMatchObject({ id: stranger.id, email_confirmed: true });
  expect(user.api_key).not.toBe(stranger.apiKey);
  const { email, password } = stranger;
  expect((await createApiClient(app.url).refuse(login, { body: { email, password } })).status).toBe(401);
  for (const authorization of [stranger.token, stranger.apiKey, key.key]) {
    expect((await createApiClient(app.url, { authorization }).refuse(getCurrentUser)).status).toBe(401);
  }
});

test('an answer is good once, in the browser that asked, for the question that was asked', async () => {
  const { subject } = personAtProvider();
  await signInAs(subject);
  const sessions = await countSessions();
  const refused = async (endpoint: Endpoint, cookie: string, body: object) => {
    const response = await fetch(app.url + endpoint.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    const problem = (await response.json()) as { code: string };
    expect([response.status, problem.code]).toEqual([401, 'oidc_refused']);
  };
  const callback = contract.signInWithOidc;
  const [mine, other] = [await comeBack(subject), await comeBack(subject)];
  await refused(callback, '', mine.answer);
  await refused(callback, 'dovepost_oidc=guessed', mine.answer);
  // A token of the right form that nobody was given: also its own state is of no use.
  await refused(callback, `dovepost_oidc=${createToken('oidc')}`, mine.answer);
  // Of another browser: the state is not of this one.
  await refused(callback, mine.cookie, other.answer);
  await refused(callback, mine.cookie, { ...mine.answer, state: 'x' });
  // A code that was stolen and put into one's own sign-in: the provider wants the verifier that belongs to it.
  await refused(callback, mine.cookie, { code: other.answer.code, state: mine.answer.state });
  // The attempt is used up, and so is the code which came back for it.
  await refused(callback, mine.cookie, mine.answer);
  const late = await comeBack(subject);
  clock.advance(10 * minuteMs);
  await refused(callback, late.cookie, late.answer);
  // The provider was asked with another nonce than the product's.
  const begun = await begin();
  const url = new URL(begun.url);
  url.searchParams.set('nonce', 'of-somebody-else');
  await refused(callback, begun.cookie, answerIn(await provider.visit(url.href, subject)));
  expect(await countSessions()).toBe(sessions);
  const done = await comeBack(subject);
  const api = createApiClient(app.url, { cookie: done.cookie });
  await api.call(callback, { body: done.answer });
  expect((await api.refuse(callback, { body: done.answer })).body.code).toBe('oidc_refused');
  expect(await countSessions()).toBe(sessions + 1);
});

test('the session is always a new one, whatever the browser brings along', async () => {
  const { subject } = personAtProvider();
  const planted = await signUp(app.url);
  const { cookie, answer } = await comeBack(subject);
  const api = createApiClient(app.url, { cookie, authorization: planted.token });
  const { token, user } = sessionOf((await api.call(contract.signInWithOidc, { body: answer })).body);
  expect(token).not.toBe(planted.token);
  expect((await planted.api.call(getCurrentUser)).body.user.id).toBe(planted.id);
  expect(user.id).not.toBe(planted.id);
});

test('of two tabs that come back at once with somebody new, both are the same person', async () => {
  const { subject } = personAtProvider();
  const tabs = await Promise.all([comeBack(subject), comeBack(subject)]);
  const signedIn = await Promise.all(
    tabs.map(async ({ cookie, answer }) => {
      const api = createApiClient(app.url, { cookie });
      return sessionOf((await api.call(contract.signInWithOidc, { body: answer })).body);
    }),
  );
  expect(new Set(signedIn.map(({ user }) => user.id)).size).toBe(1);
});

test('a provider that is away, or does not know the client, is a 503 that says so', async () => {
  const away = await startIdentityProvider(redirectUri);
  const { connectionString } = app;
  await using product = await startTestApplication({ clock, connectionString, env: envOf(away.env) });
  const anyone = createApiClient(product.url);
  const { body, headers } = await anyone.call(contract.beginOidc);
  away.people.set('ada', { email: 'ada@example.org', email_verified: true });
  const answer = answerIn(await away.visit(body.url, 'ada'));
  await away.stop();
  const atCallback = await createApiClient(product.url, { cookie: cookieOf(headers) }).refuse(contract.signInWithOidc, {
    body: answer,
  });
  expect([atCallback.status, atCallback.body.code]).toEqual([503, 'oidc_unavailable']);
  expect(atCallback.body.message).toContain('Example ID');
  await using later = await startTestApplication({ clock, connectionString, env: envOf(away.env) });
  const atBegin = await createApiClient(later.url).refuse(contract.beginOidc);
  expect([atBegin.status, atBegin.body.code]).toEqual([503, 'oidc_unavailable']);
  expect(atBegin.headers.get('retry-after')).toBe('60');

  const env = envOf({ OIDC_CLIENT_SECRET: 'not-the-secret' });
  await using misled = await startTestApplication({ clock, connectionString, env });
  const { subject } = personAtProvider();
  expect(await refusalOf(subject, { url: misled.url })).toEqual([503, 'oidc_unavailable']);
  const wrongIssuer = envOf({ OIDC_ISSUER: `${provider.issuer}/other` });
  await using lost = await startTestApplication({ clock, connectionString, env: wrongIssuer });
  expect((await createApiClient(lost.url).refuse(contract.beginOidc)).status).toBe(503);
});

test('keys that the provider has just replaced are fetched with the next sign-in', async () => {
  const { subject } = personAtProvider();
  await signInAs(subject);
  provider.rotateKeys();
  expect(sessionOf((await signInAs(subject)).body).user.email).toBe(`${subject}@example.com`);
});

test('a subject that cannot be stored as it is is refused', async () => {
  const subject = 'a\0b';
  provider.people.set(subject, { email: 'nul@example.com', email_verified: true });
  expect(await refusalOf(subject)).toEqual([401, 'oidc_refused']);
});

test('where sign-up is by invitation somebody new joins by that, with the invited address alone', async () => {
  const owner = await signUpSubscriber(app.url);
  const { connectionString } = app;
  const invitationTo = async (email: string) => {
    const { url } = (await owner.api.call(invite, { body: { email, role: 'agent' } })).body;
    return url.slice(url.lastIndexOf('/') + 1);
  };
  const [grace, other] = [personAtProvider(), personAtProvider()];
  const invitation = await invitationTo(grace.email);
  await using closed = await startTestApplication({ clock, connectionString, env: envOf({ SIGN_UP: 'closed' }) });
  expect(await refusalOf(grace.subject, { url: closed.url, invitation })).toEqual([403, 'sign_up_closed']);
  await using invited = await startTestApplication({ clock, connectionString, env: envOf({ SIGN_UP: 'invited' }) });
  const { url } = invited;
  expect(await refusalOf(grace.subject, { url })).toEqual([403, 'sign_up_closed']);
  expect(await refusalOf(other.subject, { url, invitation })).toEqual([403, 'other_address']);
  // The link was not used up by who may not have it.
  await createApiClient(url).call(getInvitation, { params: { token: invitation } });
  const joined = sessionOf((await signInAs(grace.subject, { url, invitation })).body);
  expect((await apiOf(joined, url).call(getCurrentUser)).body).toMatchObject({
    account: { id: owner.id },
    role: 'agent',
  });
  expect((await owner.api.call(getTeam)).body.members).toHaveLength(2);
  expect(await refusalOf(other.subject, { url, invitation })).toEqual([404, 'not_found']);
});

test('addresses of other domains than the operator allows do not sign in, linked or not', async () => {
  const { connectionString } = app;
  const env = envOf({ OIDC_EMAIL_DOMAINS: 'allowed.example' });
  await using narrow = await startTestApplication({ clock, connectionString, env });
  const { url } = narrow;
  const outside = personAtProvider('eve@notallowed.example');
  await signInAs(outside.subject);
  expect(await refusalOf(outside.subject, { url })).toEqual([403, 'email_not_allowed']);
  const nested = personAtProvider('eve@allowed.example@evil.example');
  expect((await refusalOf(nested.subject, { url }))[0]).toBe(403);
  const inside = personAtProvider('ada@ALLOWED.example');
  expect(sessionOf((await signInAs(inside.subject, { url })).body).user.name).toBe('Grace Hopper');
});

test('a second factor is asked for after the provider, too', async () => {
  const customer = await signUp(app.url);
  const { secret } = (await customer.api.call(setUpTotp)).body;
  await customer.api.call(confirmTotp, { body: { code: codeOf(secret, clock) } });
  clock.advance(30_000);
  const { subject } = personAtProvider(customer.email);
  const sessions = await countSessions();
  const { methods } = TwoFactorRequired.parse((await signInAs(subject)).body);
  expect(methods).toEqual(['totp', 'recovery_code']);
  expect(await countSessions()).toBe(sessions);
  expect((await customer.api.refuse(contract.beginOidcConfirmation)).body.errors).toMatchObject([{ path: 'code' }]);
});

test('a sensitive act is confirmed at the provider, which asks anew, by the person themselves', async () => {
  const { subject } = personAtProvider();
  const signedIn = sessionOf((await signInAs(subject)).body);
  const api = apiOf(signedIn);
  clock.advance(15 * minuteMs);
  expect((await api.refuse(setUpTotp)).body.code).toBe('confirm_identity');
  expect((await api.refuse(confirmIdentity, { body: {} })).status).toBe(422);
  const confirm = async (as: string) => {
    const { body, headers } = await api.call(contract.beginOidcConfirmation);
    expect(Object.fromEntries(new URL(body.url).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    const answer = answerIn(await provider.visit(body.url, as));
    return { answer, own: api.as({ cookie: cookieOf(headers) }) };
  };
  const strange = await confirm(personAtProvider().subject);
  const refused = await strange.own.refuse(contract.confirmWithOidc, { body: strange.answer });
  expect([refused.status, refused.body.code]).toEqual([403, 'other_identity']);
  // An answer that signs in does not confirm, and the other way round.
  const signIn = await comeBack(subject);
  const crossed = await api.as({ cookie: signIn.cookie }).refuse(contract.confirmWithOidc, { body: signIn.answer });
  expect(crossed.body.code).toBe('oidc_refused');
  const own = await confirm(subject);
  const asSignIn = await own.own.refuse(contract.signInWithOidc, { body: own.answer });
  expect(asSignIn.body.code).toBe('oidc_refused');
  // Of another session of the same person.
  const elsewhere = apiOf(sessionOf((await signInAs(subject)).body)).as({ cookie: '' });
  const mine = await confirm(subject);
  expect((await elsewhere.refuse(contract.confirmWithOidc, { body: mine.answer })).body.code).toBe('oidc_refused');
  expect((await api.refuse(setUpTotp)).body.code).toBe('confirm_identity');
  const { body } = await mine.own.call(contract.confirmWithOidc, { body: mine.answer });
  expect(body.confirmed_until).toBe(new Date(clock.now().getTime() + 15 * minuteMs).toISOString());
  await api.call(setUpTotp);
});

test('a person who came by the provider sets a password by the link in a mail, and has both ways then', async () => {
  const { subject, email } = personAtProvider();
  const { user } = sessionOf((await signInAs(subject)).body);
  const token = createToken('reset');
  const expiresAt = new Date(clock.now().getTime() + minuteMs);
  await app.ctx.db
    .insertInto('password_resets')
    .values({ account_id: user.id, token_hash: hashToken(token), expires_at: expiresAt })
    .execute();
  const password = 'correct horse battery';
  await createApiClient(app.url).call(resetPassword, { body: { token, password } });
  const { body } = await createApiClient(app.url).call(login, { body: { email, password } });
  const signedIn = sessionOf(body);
  expect((await apiOf(signedIn).call(getTwoFactor)).body).toMatchObject({
    has_password: true,
    oidc: { label: 'Example ID' },
  });
  expect(sessionOf((await signInAs(subject)).body).user.id).toBe(user.id);
});

test('an identity is unlinked by the person alone, after they showed who they are, and not where nothing else signs in', async () => {
  const customer = await signUp(app.url);
  const { subject } = personAtProvider(customer.email);
  await signInAs(subject);
  const [{ id: identityId } = { id: '' }] = (await customer.api.call(contract.listIdentities)).body.data;
  const params = { identityId };
  const other = await signUp(app.url);
  expect((await other.api.call(contract.listIdentities)).body.data).toEqual([]);
  expect((await other.api.refuse(contract.unlinkIdentity, { params })).status).toBe(404);
  clock.advance(16 * minuteMs);
  const unproved = createApiClient(app.url, { authorization: customer.token });
  expect((await unproved.refuse(contract.unlinkIdentity, { params })).body.code).toBe('confirm_identity');
  await unproved.call(confirmIdentity, { body: { password: customer.password } });
  expect((await unproved.call(contract.unlinkIdentity, { params })).status).toBe(204);
  expect((await unproved.call(getTwoFactor)).body.oidc).toBeNull();
  expect((await unproved.refuse(contract.unlinkIdentity, { params })).status).toBe(404);
  const [event] = (await unproved.call(listSecurityEvents)).body.data;
  expect(event).toMatchObject({ type: 'identity_unlinked', detail: 'Example ID' });
  const acts = await app.ctx.db
    .selectFrom('audit_events')
    .select('action')
    .where('account_id', '=', customer.id)
    .where('action', '=', 'user.identity_unlinked')
    .execute();
  expect(acts).toHaveLength(1);
  // A sign-in there links it anew, as the address is the same.
  expect(sessionOf((await signInAs(subject)).body).user.id).toBe(customer.id);

  const { subject: alone } = personAtProvider();
  const withoutPassword = sessionOf((await signInAs(alone)).body);
  const api = apiOf(withoutPassword);
  const [mine] = (await api.call(contract.listIdentities)).body.data;
  expect(mine).toMatchObject({ issuer: provider.env['OIDC_ISSUER'], label: 'Example ID', signs_in: true });
  const { body: refusal } = await api.refuse(contract.unlinkIdentity, { params: { identityId: mine?.id ?? '' } });
  expect(refusal.code).toBe('last_way_in');
  expect((await api.call(contract.listIdentities)).body.data).toHaveLength(1);
  // With a passkey either may go, and then the other stays.
  const addKey = async (name: string) =>
    app.ctx.db
      .insertInto('passkeys')
      .values({
        account_id: withoutPassword.user.id,
        credential_id: Buffer.from(`${alone} ${name}`),
        public_key: Buffer.from('none'),
        counter: 0,
        transports: [],
        is_synced: false,
        name,
        created_at: clock.now(),
        last_used_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  const { id: passkeyId } = await addKey('Laptop');
  await api.call(contract.unlinkIdentity, { params: { identityId: mine?.id ?? '' } });
  const { body: last } = await api.refuse(removePasskey, { params: { passkeyId } });
  expect(last.code).toBe('last_way_in');
  await addKey('Phone');
  expect((await api.call(removePasskey, { params: { passkeyId } })).status).toBe(204);
});

test('an identity of a provider that is not set up any more is listed and unlinked without another way in', async () => {
  const { subject } = personAtProvider();
  const signedIn = sessionOf((await signInAs(subject)).body);
  const api = apiOf(signedIn);
  await app.ctx.db
    .insertInto('oidc_identities')
    .values({ issuer: 'https://old.example', subject, account_id: signedIn.user.id, linked_at: clock.now() })
    .execute();
  const { data } = (await api.call(contract.listIdentities)).body;
  const old = data.find(({ label }) => label === null);
  expect(old).toMatchObject({ issuer: 'https://old.example', label: null, signs_in: false });
  expect((await api.call(contract.unlinkIdentity, { params: { identityId: old?.id ?? '' } })).status).toBe(204);
  expect((await api.call(contract.listIdentities)).body.data).toHaveLength(1);
});
