import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, subscribe } from '#tests/support/customer.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { findCallerByToken } from './find-caller-by-token.ts';
import { removeExpiredSessions } from './remove-expired-sessions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

function sessionOf(token: string) {
  const query = app.ctx.db.selectFrom('sessions').selectAll().where('token_hash', '=', hashToken(token));
  return query.executeTakeFirst();
}

test('finds the account of a session token and of an api_key, and whether a subscription opens the product', async () => {
  const customer = await signUp(app.url, 'Asia/Tokyo');
  const account = { id: customer.id, timezone: 'Asia/Tokyo' };
  const accountId = customer.id;
  const actor = {
    kind: 'user',
    accountId,
    userId: customer.id,
    role: 'owner',
    projectIds: null,
    session: { tokenHash: hashToken(customer.token), confirmedAt: clock.now(), lacksFactor: false },
  };
  const bySession = {
    account,
    actor,
    isMember: true,
    hasAccess: false,
    suspension: null,
    isExpired: false,
    addresses: [],
  };
  expect(await findCallerByToken(app.ctx, customer.token)).toEqual(bySession);
  await subscribe(customer);
  expect(await findCallerByToken(app.ctx, customer.token)).toEqual({ ...bySession, hasAccess: true });
  expect(await findCallerByToken(app.ctx, customer.apiKey)).toEqual({
    account,
    actor: {
      kind: 'api_key',
      accountId,
      role: 'owner',
      projectIds: null,
      keyId: null,
      scopes: null,
      keyHash: hashToken(customer.apiKey),
    },
    isMember: true,
    hasAccess: true,
    suspension: null,
    isExpired: false,
    addresses: [],
  });
});

test('tokens that nobody has find nobody, and a mistyped one is not even looked up', async () => {
  const { token } = await signUp(app.url);
  expect(await findCallerByToken(app.ctx, createToken('session'))).toBeUndefined();
  expect(await findCallerByToken(app.ctx, createToken('authKey'))).toBeUndefined();
  // With no database to ask, an answer proves that it was not asked.
  const { db: _, ...withoutDatabase } = app.ctx;
  const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const text of ['', 'dps_', mistyped, `${token}x`]) {
    expect(await findCallerByToken(withoutDatabase as typeof app.ctx, text)).toBeUndefined();
  }
});

test('use is noted once an hour', async () => {
  const { token } = await signUp(app.url);
  const signedInAt = clock.now();
  clock.advance(hourMs - 1);
  await findCallerByToken(app.ctx, token);
  expect((await sessionOf(token))?.last_used_at).toEqual(signedInAt);
  clock.advance(1);
  await findCallerByToken(app.ctx, token);
  expect((await sessionOf(token))?.last_used_at).toEqual(clock.now());
});

test('a session ends after 30 days without use, and 90 days after sign-in in any case', async () => {
  const idle = await signUp(app.url);
  const busy = await signUp(app.url);
  for (let day = 0; day < 90; day += 15) {
    expect(await findCallerByToken(app.ctx, busy.token)).toBeDefined();
    clock.advance(15 * dayMs);
    if (day === 0) expect(await sessionOf(idle.token)).toBeDefined();
  }
  expect(await findCallerByToken(app.ctx, idle.token)).toBeUndefined();
  expect(await findCallerByToken(app.ctx, busy.token)).toBeUndefined();

  const fresh = await signUp(app.url);
  await removeExpiredSessions(app.ctx);
  expect(await sessionOf(idle.token)).toBeUndefined();
  expect(await sessionOf(busy.token)).toBeUndefined();
  expect(await findCallerByToken(app.ctx, fresh.token)).toBeDefined();
});

test('29 days without use are not too long', async () => {
  const { token } = await signUp(app.url);
  clock.advance(30 * dayMs - 1);
  expect(await findCallerByToken(app.ctx, token)).toBeDefined();
  clock.advance(30 * dayMs);
  expect(await findCallerByToken(app.ctx, token)).toBeUndefined();
});
