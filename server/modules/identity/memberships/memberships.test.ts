import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { getCurrentUser, login, regenerateApiKey, SignedIn, updateCurrentUser } from '#contracts/accounts.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { switchAccount, updateMember } from '#contracts/team.ts';
import { findPeople } from '#server/modules/identity/accounts/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { takeOverMemberships } from './take-over-memberships.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

const membershipOf = (userId: number) =>
  app.ctx.db.selectFrom('members').select(['account_id', 'role']).where('user_id', '=', userId).execute();

test('an account that the release before makes has its owner', async () => {
  const key = randomBytes(8).toString('hex');
  const { rows } = await app.ctx.pool.query(
    `insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
     values ('Ada', $1, $1, '', $2, $2) returning id`,
    [`${key}@example.com`, randomBytes(32)],
  );
  onTestFinished(() => void app.ctx.pool.query('delete from accounts where id = $1', [rows[0].id]));
  expect(await membershipOf(rows[0].id)).toEqual([{ account_id: rows[0].id, role: 'owner' }]);
});

test('accounts of before the table are owned by their founders, before the backfill and after it', async () => {
  const customers = [await signUp(app.url), await signUp(app.url), await signUp(app.url)];
  const ids = customers.map(({ id }) => id);
  const { pool } = app.ctx;
  await pool.query('delete from memberships where user_id = any($1)', [ids]);
  await pool.query('update membership_backfill set after_id = 0, until_id = $1', [Math.max(...ids)]);
  const [first] = customers as [Customer];
  expect((await first.api.call(getCurrentUser)).body.user.id).toBe(first.id);
  await takeOverMemberships(app.ctx, 2);
  const { rows } = await pool.query('select user_id from memberships where user_id = any($1) order by 1', [ids]);
  expect(rows.map(({ user_id: id }) => id)).toEqual(ids);
  expect((await first.api.call(getCurrentUser)).body.user.id).toBe(first.id);
});

test('the backfill brings nobody back who left', async () => {
  const { id } = await signUp(app.url);
  const { pool } = app.ctx;
  await pool.query('update memberships set removed_at = now() where user_id = $1', [id]);
  await pool.query('update membership_backfill set after_id = 0, until_id = $1', [id]);
  await takeOverMemberships(app.ctx);
  expect(await membershipOf(id)).toEqual([]);
});

test('a member works in the account as themselves: their own name, address, password, sessions and events', async () => {
  const owner = await signUpSubscriber(app.url);
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, 'admin');
  await person.api.call(updateCurrentUser, { body: { name: 'Grace', timezone: 'Asia/Tokyo' } });
  const { body: seenByPerson } = await person.api.call(getCurrentUser);
  expect(seenByPerson.user).toMatchObject({
    id: person.id,
    name: 'Grace',
    email: person.email,
    timezone: 'Asia/Tokyo',
  });
  const { body: seenByOwner } = await owner.api.call(getCurrentUser);
  expect(seenByOwner.user).toMatchObject({ id: owner.id, name: 'Ada Lovelace', timezone: 'Asia/Tokyo' });
  expect(seenByPerson.subscription).toEqual(seenByOwner.subscription);
  await createApiClient(app.url).call(login, { body: { email: person.email, password: person.password } });
  const eventsOf = async ({ api }: Customer) =>
    (await api.call(listSecurityEvents, { query: {} })).body.data.map(({ type }) => type);
  expect(await eventsOf(person)).toEqual(['signed_in', 'signed_up']);
  expect(await eventsOf(owner)).toEqual(['signed_up']);
});

test('an api_key does what its maker may, and stops with their membership', async () => {
  const owner = await signUpSubscriber(app.url);
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, 'admin');
  const { body } = await person.api.call(regenerateApiKey, { headers: {} });
  const api = createApiClient(app.url, { authorization: body.api_key });
  expect((await api.call(getCurrentUser)).body.user.id).toBe(person.id);
  await app.ctx.pool.query('update memberships set removed_at = now() where account_id = $1 and user_id = $2', [
    owner.id,
    person.id,
  ]);
  expect((await api.refuse(getCurrentUser)).status).toBe(401);
});

test('the maker of the api_key sees it no more once their role may not manage keys', async () => {
  const owner = await signUpSubscriber(app.url);
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, 'developer');
  const { body } = await person.api.call(regenerateApiKey, { headers: {} });
  const seen = async () => (await person.api.call(getCurrentUser)).body.user.api_key;
  const signedIn = async () => {
    const { email, password } = person;
    const answer = await createApiClient(app.url).call(login, { body: { email, password } });
    const { body: moved } = await createApiClient(app.url, {
      authorization: SignedIn.parse(answer.body).token,
    }).call(switchAccount, { body: { account_id: owner.id } });
    return moved.user.api_key;
  };
  expect([await seen(), await signedIn()]).toEqual([body.api_key, body.api_key]);
  await owner.api.call(updateMember, { params: { userId: person.id }, body: { role: 'viewer' } });
  expect([await seen(), await signedIn()]).toEqual([null, null]);
});

test('a stream ends when its member is narrowed or removed, and no other does', async () => {
  const owner = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(owner);
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, 'agent');
  const open = async (token: string) => {
    const response = await fetch(`${app.url}/api/events`, { headers: { authorization: token } });
    expect(response.status).toBe(200);
    const stream = { hasEnded: false };
    void response.text().then(() => (stream.hasEnded = true));
    return stream;
  };
  const [ofOwner, ofPerson] = [await open(owner.token), await open(person.token)];
  const change = 'update memberships set project_ids = $3 where account_id = $1 and user_id = $2';
  await app.ctx.pool.query(change, [owner.id, person.id, [projectId]]);
  await expect.poll(() => ofPerson.hasEnded).toBe(true);
  expect(ofOwner.hasEnded).toBe(false);
});

test('mail about the account goes to the members who look after it, at confirmed addresses', async () => {
  const owner = await signUp(app.url);
  const [admin, agent, narrowed] = [await signUp(app.url), await signUp(app.url), await signUp(app.url)];
  await joinAccount(app, owner, admin, 'admin');
  await joinAccount(app, owner, agent, 'agent');
  await joinAccount(app, owner, narrowed, 'admin', [7]);
  const idsFor = async (projectIds?: number[]) =>
    (
      await findPeople(app.ctx, {
        accountId: owner.id,
        permission: 'webhooks:write',
        ...(projectIds && { projectIds }),
      })
    ).map(({ id }) => id);
  expect(await idsFor()).toEqual([owner.id, admin.id]);
  expect(await idsFor([7])).toEqual([owner.id, admin.id, narrowed.id]);
  await app.ctx.pool.query('update accounts set email_unconfirmed_since = now() where id = $1', [admin.id]);
  expect(await idsFor()).toEqual([owner.id]);
});
