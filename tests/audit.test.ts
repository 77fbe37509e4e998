import pg from 'pg';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updatePassword } from '#contracts/accounts.ts';
import { dismissAlert } from '#contracts/alerts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { createCampaign, pauseCampaign } from '#contracts/campaigns.ts';
import { addPhoneNumber, deletePhoneNumber, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { updateProject } from '#contracts/projects.ts';
import { createSegment, deleteSegment } from '#contracts/segments.ts';
import { acceptInvitation, invite, removeMember, updateMember } from '#contracts/team.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { removeOldAuditEvents } from '#server/modules/identity/audit/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';

let app: TestApplication;
let owner: Customer;
let project: OwnProject;

beforeAll(async () => {
  app = await startTestApplication();
  owner = await signUpSubscriber(app.url);
  project = await makeProject(owner);
});
afterAll(() => app[Symbol.asyncDispose]());

const condition = { fieldPath: 'name', operator: 'exists' } as const;

async function eventsOf(query: z.input<typeof listAuditEvents.query>, who = owner) {
  return (await who.api.call(listAuditEvents, { query })).body.data;
}

test('a change by somebody who signed in is logged with all that is known of it', async () => {
  const api = owner.api.as({ 'user-agent': 'Shop 1.0' });
  const reply = await api.call(updateProject, { params: { projectId: project.id }, body: { name: 'Larkspur' } });
  const [event] = await eventsOf({ target: `project:${project.id}`, action: 'project.changed' });
  expect(event).toEqual({
    id: expect.any(Number),
    created_at: expect.any(String),
    actor: { type: 'user', id: owner.id, name: 'Ada Lovelace' },
    action: 'project.changed',
    target: { type: 'project', id: project.id, name: 'Larkspur' },
    changes: { name: { before: 'Shop', after: 'Larkspur' } },
    address: '127.0.0.1',
    program: 'Shop 1.0',
    request_id: reply.headers.get('request-id'),
  });
});

test('a key and the api_key are named, and a change without effect is no act', async () => {
  const { body: key } = await owner.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Warehouse', scopes: ['contacts:write', 'contacts:read'] },
  });
  const byKey = createApiClient(app.url, { 'x-auth-key': key.key });
  const { body: segment } = await byKey.call(createSegment, { body: { name: 'Named', condition } });
  await createApiClient(app.url, { authorization: owner.apiKey }).call(deleteSegment, {
    params: { segmentId: segment.id },
  });
  const events = await eventsOf({ target: `segment:${segment.id}` });
  expect(events.map(({ action, actor }) => [action, actor])).toEqual([
    ['segment.deleted', { type: 'api_key', id: null, name: 'API key' }],
    ['segment.created', { type: 'key', id: key.id, name: 'Warehouse' }],
  ]);
  expect(events[0]?.target.name).toBe('Named');
  const count = (await eventsOf({})).length;
  await owner.api.call(updateProject, { params: { projectId: project.id }, body: {} });
  expect(await eventsOf({})).toHaveLength(count);
});

test('texts, secrets and what is known of contacts are left out', async () => {
  const { body: profile } = await owner.api.call(createProfile, { body: { phone: '14155550123', name: 'Grace' } });
  const change = { email: 'grace.hopper@example.com', custom_fields: { pet: 'a secret cat' } };
  await owner.api.call(updateProfile, { params: { profileId: profile.id }, body: change });
  const { body: phone } = await owner.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: '14155550199', connector: 'whatsapp' },
  });
  const proxy = 'http://maya:open-sesame@192.0.2.7:8080';
  await owner.api.call(updatePhoneNumber, { params: { phoneId: phone.id }, body: { proxy, priority: 7 } });
  await owner.api.call(updatePassword, {
    body: { currentPassword: owner.password, newPassword: 'another horse battery' },
  });
  const [changed] = await eventsOf({ target: `profile:${profile.id}`, action: 'profile.changed' });
  const hidden = { before: null, after: null, hidden: true };
  expect(changed?.changes).toEqual({ email: hidden, custom_fields: hidden });
  const [ofPhone] = await eventsOf({ target: `phone:${phone.id}`, action: 'phone.changed' });
  expect(ofPhone?.changes['proxy_password']).toEqual(hidden);
  expect((await eventsOf({ action: 'user.password_changed' }))[0]?.target.id).toBe(owner.id);
  const { rows } = await app.ctx.pool.query('select row_to_json(a)::text as row from audit_events a');
  const text = rows.map(({ row }: { row: string }) => row).join('\n');
  for (const secret of ['open-sesame', 'secret cat', 'grace.hopper', 'horse battery', project.auth_key, owner.apiKey]) {
    expect(text).not.toContain(secret);
  }
});

test('members come, change and go by name', async () => {
  const { body: invitation } = await owner.api.call(invite, { body: { email: 'priya@example.com', role: 'agent' } });
  const token = invitation.url.slice(invitation.url.lastIndexOf('/') + 1);
  const person = { name: 'Priya Nair', password: 'correct horse battery' };
  const { body: joined } = await createApiClient(app.url).call(acceptInvitation, { params: { token }, body: person });
  const params = { userId: joined.user.id };
  await owner.api.call(updateMember, { params, body: { role: 'viewer' } });
  const asPriya = createApiClient(app.url, { authorization: joined.token });
  expect((await asPriya.refuse(listAuditEvents)).body.code).toBe('missing_permission');
  await owner.api.call(removeMember, { params });
  const events = await eventsOf({
    created_after: new Date(Date.parse(invitation.expires_at) - 8 * 86_400_000).toISOString(),
  });
  const team = events.filter(({ target }) => ['member', 'invitation'].includes(target.type));
  expect(team.map(({ action, actor, target }) => [action, actor.name, target.name])).toEqual([
    ['member.removed', 'Ada Lovelace', 'Priya Nair'],
    ['member.changed', 'Ada Lovelace', 'Priya Nair'],
    ['invitation.accepted', 'Priya Nair', 'Priya Nair'],
    ['invitation.created', 'Ada Lovelace', 'priya@example.com'],
  ]);
  expect(team[1]?.changes).toEqual({ role: { before: 'agent', after: 'viewer' } });
});

test('an act that is refused leaves no row, and one with a key is logged once', async () => {
  const { body: segment } = await owner.api.call(createSegment, { body: { name: 'Everybody', condition } });
  const body = { name: 'Sale', project_id: project.id, segment_id: segment.id, message: 'Hi' };
  const key = owner.api.as({ 'idempotency-key': 'launch' });
  const call = { body };
  const { body: campaign } = await key.call(createCampaign, call);
  await key.call(createCampaign, call);
  const started = await eventsOf({ action: 'campaign.started' });
  expect(started.map(({ target }) => target.id)).toEqual([campaign.id]);
  await owner.api.refuse(pauseCampaign, { params: { campaignId: 999_999 } });
  await owner.api.refuse(deletePhoneNumber, { params: { phoneId: 999_999 } });
  expect((await eventsOf({ limit: 100 })).filter(({ target }) => target.id === 999_999)).toEqual([]);
});

test('a deletion that waits for the network is logged before and after', async () => {
  const phone = await connectSandboxPhone(owner, project.id);
  await owner.api.call(deletePhoneNumber, { params: { phoneId: phone.id } });
  const events = await eventsOf({ target: `phone:${phone.id}` });
  expect(events.map(({ action }) => action)).toEqual(['phone.deleted', 'phone.delete_requested', 'phone.added']);
  expect(events[0]?.target.name).toBe(phone.phone_number);
});

test('the row is of the transaction of its act: where it cannot be written, nothing is changed', async () => {
  const ofOwner = new pg.Client({ connectionString: app.ownerConnectionString });
  await ofOwner.connect();
  try {
    await ofOwner.query(`alter table audit_events add constraint none check (action <> 'segment.created') not valid`);
    const response = await fetch(`${app.url}/api/segments`, {
      method: 'POST',
      headers: { authorization: owner.token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Never made', condition }),
    });
    expect(response.status).toBe(500);
    const { rows } = await app.ctx.pool.query(`select 1 from segments where name = 'Never made'`);
    expect(rows).toEqual([]);
  } finally {
    await ofOwner.query('alter table audit_events drop constraint if exists none');
    await ofOwner.end();
  }
});

test('an alert that is dismissed has its title, in answers and in the CSV', async () => {
  const now = new Date();
  const facts = { file: 'people.csv', status: 'completed', counts: {}, error: null };
  const { id } = await app.ctx.db
    .insertInto('alerts')
    .values({
      account_id: owner.id,
      kind: 'import_done',
      subject_id: 1,
      facts: JSON.stringify(facts),
      began_at: now,
      due_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await owner.api.call(dismissAlert, { params: { alertId: id } });
  const [dismissed] = await eventsOf({ action: 'alert.dismissed' });
  expect(dismissed?.target).toEqual({ type: 'alert', id, name: 'An import is done' });
  const csv = await fetch(`${app.url}/api/audit-events/export?action=alert.dismissed`, {
    headers: { authorization: owner.token },
  });
  expect(await csv.text()).toContain(',An import is done,');
});

test('filters, pages and the CSV say the same, and other accounts see nothing of it', async () => {
  const all = await eventsOf({ limit: 100 });
  const paged: number[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await owner.api.call(listAuditEvents, { query: { limit: 3, ...(after && { after }) } });
    paged.push(...body.data.map(({ id }) => id));
    if (body.next_cursor === null) break;
    after = body.next_cursor;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
  expect((await eventsOf({ actor: String(owner.id), limit: 100 })).every(({ actor }) => actor.id === owner.id)).toBe(
    true,
  );
  expect((await eventsOf({ action: 'segment.', limit: 100 })).every(({ target }) => target.type === 'segment')).toBe(
    true,
  );
  expect(await eventsOf({ created_after: '2999-01-01T00:00:00Z' })).toEqual([]);
  const csv = await fetch(`${app.url}/api/audit-events/export`, { headers: { authorization: owner.token } });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect((await csv.text()).trim().split('\n')).toHaveLength(all.length + 1);
  expect(await eventsOf({}, await signUp(app.url))).toEqual([]);
});

test('the application neither changes nor deletes a row, also after a second start; old ones go by themselves', async () => {
  const role = { name: 'dovepost_app' };
  const { rows: names } = await app.ctx.pool.query('select current_user as name');
  role.name = names[0].name;
  for (const _ of [1, 2]) {
    await prepareDatabase(app.ownerConnectionString, { role });
    for (const statement of [
      `update audit_events set action = 'x'`,
      'delete from audit_events',
      'truncate audit_events',
      'drop table audit_events',
    ]) {
      await expect(app.ctx.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  }
  await app.ctx.pool.query(
    `insert into audit_events (account_id, created_at, actor_type, actor_name, action, target_type, changes)
     values ($1, now() - interval '401 days', 'system', 'Dovepost', 'phone.banned', 'phone', '{}'),
            ($1, now() - interval '399 days', 'system', 'Dovepost', 'phone.limited', 'phone', '{}')`,
    [owner.id],
  );
  expect(await removeOldAuditEvents(app.ctx)).toBe(1);
  expect((await eventsOf({ actor: 'system' })).map(({ action }) => action)).toContain('phone.limited');
});
