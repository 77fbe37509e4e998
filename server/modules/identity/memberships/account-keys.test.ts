import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountKey, deleteAccountKey, listAccountKeys } from '#contracts/account-keys.ts';
import { getCurrentUser, regenerateApiKey, updatePassword } from '#contracts/accounts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { listProjects } from '#contracts/projects.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { getTeam, removeMember, updateMember } from '#contracts/team.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const withKey = (key: string, ip = '192.0.2.1') =>
  createApiClient(app.url, { authorization: key, 'x-forwarded-for': ip });

const make = async ({ api }: Customer, changes: object = {}) =>
  (await api.call(createAccountKey, { body: { name: 'Reports', scopes: ['contacts:read', 'self:read'], ...changes } }))
    .body;

test('a key does what its scopes say, is shown once, listed with the first one, and deleted', async () => {
  const owner = await signUpSubscriber(app.url);
  const made = await make(owner);
  expect(made).toMatchObject({ name: 'Reports', scopes: ['contacts:read', 'self:read'], last_used_at: null });
  expect(made.key.startsWith(made.hint)).toBe(true);
  const program = withKey(made.key);
  expect((await program.call(listProfiles, { query: {} })).status).toBe(200);
  const refused = await program.refuse(createProfile, { body: { phone: '14155550123' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  expect(refused.body.message).toContain('contacts:write');
  expect((await program.refuse(listAccountKeys)).body.code).toBe('session_required');
  const me = (await program.call(getCurrentUser)).body;
  expect({ key: me.user.api_key, permissions: me.permissions }).toEqual({
    key: null,
    permissions: ['contacts:read', 'self:read'],
  });

  await withKey(owner.apiKey).call(listProjects);
  const listed = async () => (await owner.api.call(listAccountKeys)).body.data;
  const [own, first, ...others] = await listed();
  expect(others).toEqual([]);
  expect(own).toMatchObject({ id: made.id, made_by: { id: owner.id } });
  expect(own).not.toHaveProperty('key');
  expect(first).toMatchObject({ id: null, name: 'API key', scopes: null, made_by: { id: owner.id } });
  expect(owner.apiKey.startsWith(first?.hint ?? 'none')).toBe(true);

  await owner.api.call(deleteAccountKey, { params: { accountKeyId: made.id ?? 0 } });
  expect((await program.refuse(listProfiles, { query: {} })).status).toBe(401);
  expect((await owner.api.refuse(deleteAccountKey, { params: { accountKeyId: made.id ?? 0 } })).status).toBe(404);
  const types = (await owner.api.call(listSecurityEvents, { query: {} })).body.data.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['account_key_created', 'account_key_deleted']));
  const acts = (await owner.api.call(listAuditEvents, { query: { action: 'account_key.' } })).body.data;
  expect(acts.map(({ action }) => action)).toEqual(['account_key.deleted', 'account_key.created']);
  expect(JSON.stringify(acts)).not.toContain(made.key);
});

test('an expired key and one from a foreign address are refused by name', async () => {
  const owner = await signUpSubscriber(app.url);
  const expires = new Date(clock.now().getTime() + 60_000).toISOString();
  const short = await make(owner, { expires_at: expires });
  const bound = await make(owner, { addresses: ['203.0.113.0/24', '2001:db8::/32'] });
  expect((await withKey(short.key).call(listProfiles, { query: {} })).status).toBe(200);
  clock.advance(60_000);
  expect(await withKey(short.key).refuse(listProfiles, { query: {} })).toMatchObject({
    status: 401,
    body: { code: 'key_expired' },
  });
  for (const ip of ['203.0.113.9', '2001:db8::7']) {
    expect((await withKey(bound.key, ip).call(listProfiles, { query: {} })).status).toBe(200);
  }
  expect(await withKey(bound.key, '198.51.100.1').refuse(listProfiles, { query: {} })).toMatchObject({
    status: 403,
    body: { code: 'address_not_allowed' },
  });
  const late = { name: 'Late', scopes: ['contacts:read' as const], expires_at: clock.now().toISOString() };
  expect((await owner.api.refuse(createAccountKey, { body: late })).body.errors?.[0]?.path).toBe('expires_at');
});

test('a key never may more than its maker, now as then, and ends for good when they are removed', async () => {
  const [owner, maker] = [await signUpSubscriber(app.url), await signUp(app.url)];
  await joinAccount(app, owner, maker, 'developer');
  const beyond = { name: 'All', scopes: ['contacts:write' as const] };
  expect((await maker.api.refuse(createAccountKey, { body: beyond })).body.code).toBe('missing_permission');
  const { key } = await make(maker);
  const program = withKey(key);
  expect((await program.call(listProfiles, { query: {} })).status).toBe(200);
  const params = { userId: maker.id };
  await owner.api.call(updateMember, { params, body: { role: 'marketer' } });
  expect((await program.call(listProfiles, { query: {} })).status).toBe(200);
  expect((await maker.api.refuse(listAccountKeys)).body.code).toBe('missing_permission');
  await owner.api.call(removeMember, { params });
  expect((await program.refuse(listProfiles, { query: {} })).status).toBe(401);
  await app.ctx.db
    .updateTable('memberships')
    .set({ removed_at: null })
    .where('account_id', '=', owner.id)
    .where('user_id', '=', maker.id)
    .execute();
  expect((await owner.api.call(getTeam)).body.members).toHaveLength(2);
  expect((await program.refuse(listProfiles, { query: {} })).status).toBe(401);
});

test('another account sees and deletes none, and there is an end to how many there are', async () => {
  const [owner, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
  const { id } = await make(owner);
  expect((await other.api.refuse(deleteAccountKey, { params: { accountKeyId: id ?? 0 } })).status).toBe(404);
  expect((await other.api.call(listAccountKeys)).body.data).toHaveLength(1);
  for (let count = 1; count < 50; count += 1) await make(owner);
  const body = { name: 'One more', scopes: ['contacts:read' as const] };
  expect((await owner.api.refuse(createAccountKey, { body })).body.code).toBe('key_limit');
});

test('a member who is narrowed to projects replaces no key of the account, and deletes their own keys alone', async () => {
  const [owner, maker] = [await signUpSubscriber(app.url), await signUp(app.url)];
  const project = await makeProject(owner);
  await joinAccount(app, owner, maker, 'developer', [project.id]);
  const [others, own] = [await make(owner), await make(maker)];
  const { api, password } = maker;
  const refusals = [
    await api.refuse(deleteAccountKey, { params: { accountKeyId: others.id ?? 0 } }),
    await api.refuse(regenerateApiKey),
    await api.refuse(updatePassword, {
      body: { currentPassword: password, newPassword: 'staple correct horse', rotateApiKey: true },
    }),
  ];
  for (const { status, body } of refusals) expect([status, body.code]).toEqual([403, 'missing_permission']);
  await api.call(deleteAccountKey, { params: { accountKeyId: own.id ?? 0 } });
  const { body: listed } = await owner.api.call(listAccountKeys);
  expect(listed.data.map(({ id }) => id)).toEqual([others.id, null]);
  expect((await withKey(owner.apiKey).call(listProjects)).status).toBe(200);
});
