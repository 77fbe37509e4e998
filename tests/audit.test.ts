import pg from 'pg';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updatePassword } from '#contracts/accounts.ts';
import { dismissAlert } from '#contracts/alerts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { endpoints } from '#contracts/index.ts';
import { createCampaign, pauseCampaign } from '#contracts/campaigns.ts';
import { createFlow, deleteFlow } from '#contracts/flows.ts';
import { addPhoneNumber, deletePhoneNumber, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { updateProject } from '#contracts/projects.ts';
import { createSegment, deleteSegment } from '#contracts/segments.ts';
import { addSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { acceptInvitation, invite, removeMember, updateMember } from '#contracts/team.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { dropOldMonths } from '#server/platform/db/partitions.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';
import { makeOneOfEverything } from './support/one-of-everything.ts';
import { testDocument } from './support/openapi-answers.ts';
import { createRandom } from './support/random.ts';
import { valueFor } from './support/schema-values.ts';

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

test('a project has its own acts and those of its things, a deleted one by the project that its row names; all are counted', async () => {
  const person = await signUpSubscriber(app.url);
  const own = await makeProject(person);
  const phone = await connectSandboxPhone(person, own.id);
  await person.api.call(updatePhoneNumber, { params: { phoneId: phone.id }, body: { priority: 7 } });
  const { body: segment } = await person.api.call(createSegment, { body: { name: 'Named', condition } });
  const { body: campaign } = await person.api.call(createCampaign, {
    body: { name: 'Spring', project_id: own.id, segment_id: segment.id, message: 'Hi', when: '2099-01-01T00:00:00Z' },
  });
  const { body: flow } = await person.api.call(createFlow, {
    body: { name: 'Welcome', conditions: [condition], action: { projectId: own.id, message: 'Hi' }, active: false },
  });
  await person.api.call(deleteFlow, { params: { flowId: flow.id } });
  const query = { project_id: String(own.id), count: 'true' } as const;
  const { body } = await person.api.call(listAuditEvents, { query: { ...query, limit: 2 } });
  expect(body.data.map(({ action }) => action)).toEqual(['flow.deleted', 'flow.created']);
  const acts = (await eventsOf(query, person)).map(({ action, target }) => [action, target.id]);
  expect(acts).toEqual([
    ['flow.deleted', flow.id],
    ['flow.created', flow.id],
    ['campaign.started', campaign.id],
    ['phone.changed', phone.id],
    ['phone.added', phone.id],
    ['project.created', own.id],
  ]);
  expect(body.total).toBe(acts.length);
  expect((await person.api.call(listAuditEvents, { query: {} })).body.total).toBeUndefined();
  expect(await eventsOf({ project_id: String(project.id) }, person)).toEqual([]);
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

test('of two deletions at once one is done and logged, the other finds nothing', async () => {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, projectId);
  const statusesOf = async (path: string) => {
    const remove = () => fetch(`${app.url}${path}`, { method: 'DELETE', headers: { authorization: customer.token } });
    const answers = await Promise.all([remove(), remove()]);
    return answers.map(({ status }) => status).toSorted((a, b) => a - b);
  };
  expect(await statusesOf(`/api/phone-numbers/${phone.id}`)).toEqual([204, 404]);
  expect(await statusesOf(`/api/projects/${projectId}`)).toEqual([204, 404]);
  const actions = (await eventsOf({}, customer)).map(({ action }) => action);
  expect(actions.filter((action) => action.endsWith('.deleted'))).toEqual(['project.deleted', 'phone.deleted']);
});

test('the row is of the transaction of its act: where it cannot be written, nothing is changed', async () => {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, projectId);
  const ofOwner = new pg.Client({ connectionString: app.ownerConnectionString });
  await ofOwner.connect();
  const statusOf = async (method: string, path: string, body?: object) => {
    const headers = { authorization: customer.token, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${app.url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    return response.status;
  };
  const isThere = async (table: string, which: string) =>
    (await app.ctx.pool.query(`select 1 from ${table} where ${which}`)).rows.length === 1;
  try {
    await ofOwner.query(
      `alter table audit_events add constraint none
         check (action not in ('segment.created', 'phone.deleted', 'project.deleted')) not valid`,
    );
    expect(await statusOf('POST', '/api/segments', { name: 'Never made', condition })).toBe(500);
    expect(await isThere('segments', `name = 'Never made'`)).toBe(false);
    expect(await statusOf('DELETE', `/api/phone-numbers/${phone.id}`)).toBe(500);
    expect(await isThere('phones', `id = ${phone.id}`)).toBe(true);
    expect(await statusOf('DELETE', `/api/projects/${projectId}`)).toBe(500);
    expect(await isThere('projects', `id = ${projectId}`)).toBe(true);
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
  await app.ctx.pool.query(`select ensure_month_partitions('audit_events', (now() - interval '15 months')::date, 4)`);
  await app.ctx.pool.query(`
    insert into audit_events (account_id, id, created_at, actor_type, actor_name, action, target_type, changes)
    select 0, record_id_at(at), at, 'system', 'Dovepost', action, 'phone', '{}'
      from (values (now() - interval '432 days', 'phone.banned'), (now() - interval '399 days', 'phone.limited')) as a (at, action)
  `);
  await dropOldMonths(app.ctx.db, { now: new Date(), messagesKeptDays: undefined, eventsKeptDays: 395 });
  const { rows: months } = await app.ctx.pool.query(
    `select format('delete from %s', inhrelid::regclass) as removal from pg_inherits where inhparent = 'audit_events'::regclass`,
  );
  for (const { removal } of months) await expect(app.ctx.pool.query(removal)).rejects.toMatchObject({ code: '42501' });
  const kept = await app.ctx.pool.query('select action from audit_events where account_id = 0');
  expect(kept.rows).toEqual([{ action: 'phone.limited' }]);
});

test('each filter finds its own, and what is no filter is a 422', async () => {
  const person = await signUpSubscriber(app.url);
  const own = await makeProject(person);
  const { body: key } = await person.api.call(createProjectKey, {
    params: { projectId: own.id },
    body: { name: 'Warehouse', scopes: ['contacts:write', 'contacts:read'] },
  });
  const byKey = createApiClient(app.url, { 'x-auth-key': key.key });
  const { body: segment } = await byKey.call(createSegment, { body: { name: 'Named', condition } });
  await createApiClient(app.url, { authorization: person.apiKey }).call(deleteSegment, {
    params: { segmentId: segment.id },
  });
  const all = await eventsOf({ limit: 100 }, person);
  const ofSegment = all.filter(({ target }) => target.type === 'segment');
  const found = async (query: z.input<typeof listAuditEvents.query>) =>
    (await eventsOf({ limit: 100, ...query }, person)).map(({ id }) => id);
  const having = (isFound: (event: (typeof all)[number]) => boolean) => all.filter(isFound).map(({ id }) => id);
  expect(ofSegment).toHaveLength(2);
  expect(await found({ actor: `key:${key.id}` })).toEqual(having(({ actor }) => actor.type === 'key'));
  expect(await found({ actor: 'key' })).toEqual(having(({ actor }) => actor.type === 'key'));
  expect(await found({ actor: 'api_key' })).toEqual(having(({ actor }) => actor.type === 'api_key'));
  expect(await found({ actor: `user:${person.id}` })).toEqual(having(({ actor }) => actor.id === person.id));
  expect(await found({ actor: 'user:9999999999999999' })).toEqual([]);
  expect(await found({ action: 'segment.deleted' })).toEqual(having(({ action }) => action === 'segment.deleted'));
  expect(await found({ action: 'segment' })).toEqual(having(({ action }) => action.startsWith('segment.')));
  expect(await found({ action: 'phone.banned' })).toEqual([]);
  expect(await found({ target: 'segment' })).toEqual(ofSegment.map(({ id }) => id));
  expect(await found({ target: `segment:${segment.id + 1}` })).toEqual([]);
  const ofWarehouse = having(({ actor, target }) => `${actor.name} ${target.name}`.includes('Warehouse'));
  expect(ofWarehouse).toHaveLength(2);
  expect(await found({ search: 'wareh' })).toEqual(ofWarehouse);
  expect(await found({ search: 'créated  WAREHOUSE' })).toEqual(
    having(
      ({ action, target }) =>
        action.endsWith('.created') && (target.name === 'Warehouse' || action === 'segment.created'),
    ),
  );
  expect(await found({ search: '127.0.0.1' })).toHaveLength(
    all.filter(({ address }) => address === '127.0.0.1').length,
  );
  for (const search of ['warehouse%', 'w_rehouse', '\\', 'nobody', '+1 415 555 0199'])
    expect(await found({ search })).toEqual([]);
  await person.api.call(createProfile, { body: { phone: '14155550188' } });
  expect(await eventsOf({ search: '+1 (415) 555-0188' }, person)).toMatchObject([{ action: 'profile.created' }]);
  const [latest] = all;
  expect(await found({ created_after: latest?.created_at })).toContain(latest?.id);
  expect(await found({ created_before: latest?.created_at })).not.toContain(latest?.id);
  expect(await found({ after: String(latest?.id) })).toEqual(all.slice(1).map(({ id }) => id));

  for (const [action, message] of [
    ['campaign.start', 'Unknown action campaign.start. Did you mean campaign.started?'],
    ['campain.', 'Unknown action campain. Did you mean campaign?'],
    ['nobody.flew', 'Unknown action nobody.flew'],
  ] as const) {
    const refused = await person.api.refuse(listAuditEvents, { query: { action } });
    expect([refused.status, refused.body.errors]).toEqual([422, [{ path: 'action', message }]]);
  }
  const exported = await fetch(`${app.url}/api/audit-events/export?action=campaign.start`, {
    headers: { authorization: person.token },
  });
  expect(exported.status).toBe(422);

  const garbage: Record<string, string[]> = {
    after: ['x', '-1', '1.5', '99999999999999999999', "1' or '1'='1"],
    actor: ['nobody', 'user:', 'user:x', 'key:99999999999999999999', "'"],
    action: ['Campaign.Started', '%', 'segment.deleted; drop table segments', '.', 'a'.repeat(300)],
    target: ['nosuch', 'campaign:abc', 'campaign:', 'campaign:99999999999999999999', '%00'],
    created_after: [
      'yesterday',
      '2026-13-01T00:00:00Z',
      '2026-01-01',
      '999999-01-01T00:00:00Z',
      '0000-00-00T00:00:00Z',
    ],
    created_before: ['never'],
    limit: ['0', '101', 'x'],
    search: ['x'.repeat(101), 'a\u0000b'],
    actro: ['1'],
  };
  for (const path of ['', '/export']) {
    for (const [name, values] of Object.entries(garbage)) {
      if (path !== '' && (name === 'after' || name === 'limit')) continue;
      for (const value of values) {
        const url = `${app.url}/api/audit-events${path}?${new URLSearchParams({ [name]: value }).toString()}`;
        const answer = await fetch(url, { headers: { authorization: person.token } });
        expect([path, name, value, answer.status]).toEqual([path, name, value, 422]);
      }
    }
  }
});

test('no spreadsheet runs a cell of the CSV', async () => {
  const person = await signUpSubscriber(app.url);
  const own = await makeProject(person);
  const api = person.api.as({ 'user-agent': '=cmd|calc' });
  await api.call(updateProject, { params: { projectId: own.id }, body: { name: '=HYPERLINK("http://192.0.2.1")' } });
  const csv = await fetch(`${app.url}/api/audit-events/export`, { headers: { authorization: person.token } });
  const lines = (await csv.text()).split('\r\n');
  const line = lines.find((each) => each.includes('HYPERLINK')) ?? '';
  expect(line).toContain(`"'=HYPERLINK(""http://192.0.2.1"")"`);
  expect(line).toContain(`'=cmd|calc`);
  expect(lines.filter((each) => /(^|,)"?[=+@]/.test(each))).toEqual([]);
});

test('whom an act on a number was about is said by the number', async () => {
  await owner.api.call(addSuppression, { body: { phone: '+1 415 555 0155' } });
  await owner.api.call(removeSuppression, { params: { phone: '14155550155' }, query: { reason: 'They asked for it' } });
  const events = await eventsOf({ target: 'suppression' });
  expect(events.map(({ action, target }) => [action, target.name])).toEqual([
    ['suppression.removed', '14155550155'],
    ['suppression.added', '14155550155'],
  ]);
});

/** Texts, secrets and what is known of contacts, by the name of the field of a body. */
const secretFields =
  /^(?:\w*password|\w*secret|\w*token|code|message|text|caption|body|note|reason|about|pin|custom_fields|properties|traits|metadata|email|content|p256dh|auth|\w*_text|file_name)$/i;

function plant(value: unknown, field: string, marker: string): unknown {
  if (typeof value === 'string') return secretFields.test(field) ? `${marker}@example.com` : value;
  if (Array.isArray(value)) return value.map((each) => plant(each, field, marker));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    plant(each, secretFields.test(field) ? field : name, marker),
  ]);
  const isFree = /^(custom_fields|properties|traits|metadata)$/.test(field);
  return Object.fromEntries(isFree ? [...entries, ['pet', marker]] : entries);
}

test('no endpoint leaves a text, a secret or what is known of a contact in the log', async () => {
  const person = await signUpSubscriber(app.url);
  const own = await makeProject(person, 'http://127.0.0.1:9/hook');
  const things = await makeOneOfEverything(app, person, own);
  const random = createRandom(20_261_126);
  // They end the session, or what the walk needs.
  const left = new Set([
    'POST /api/auth/logout',
    'POST /api/auth/sign-out-everywhere',
    'POST /api/user/switch-account',
    'POST /api/team/leave',
  ]);
  const marker = 'planted-marker';
  const byKeyOfProject = new Set(['/api/send-message', '/api/messages/batch']);
  const action = { projectId: own.id, message: marker };
  const ofNumber = { to: '14155550123', message: marker };
  const known: [string, unknown][] = [
    [
      'PUT /api/profiles/{profileId}',
      { name: 'Peregrine', email: `${marker}@example.com`, custom_fields: { pet: marker } },
    ],
    ['POST /api/campaigns', { name: 'Sale', project_id: own.id, segment_id: things['segmentId'], message: marker }],
    ['PUT /api/flows/{flowId}', { name: 'Named', conditions: [condition], action, active: false }],
    ['PUT /api/bulk-runs/{runId}', { message: marker }],
    ['PUT /api/templates/{templateId}', { name: 'Hello', message: marker }],
    ['POST /api/send-message', ofNumber],
    ['POST /api/messages/batch', { messages: [ofNumber] }],
    ['POST /api/conversations/{conversationId}/messages', { message: marker }],
    ['PUT /api/consents/{phone}', { topics: [{ topic_id: things['topicId'], state: 'opted_in' }], text: marker }],
    ['POST /api/suppressions', { phone: '14155550188', note: marker }],
    ['POST /api/track', { phone: '14155550123', event: 'Baked', properties: { what: marker } }],
    ['POST /api/identify', { phone: '14155550123', traits: { pet: marker } }],
    ['PUT /api/opt-out-settings', { opt_out_text: marker }],
  ];
  const changing = endpoints.filter(
    ({ method, path, callers }) =>
      method !== 'GET' && method !== 'DELETE' && callers !== 'anyone' && !left.has(`${method} ${path}`),
  );
  const taken = new Set<string>();
  async function call(method: string, path: string, given: unknown): Promise<number> {
    const body = JSON.stringify(given);
    const { status } = await fetch(
      app.url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(things[name] ?? 1)),
      {
        method,
        headers: {
          ...(byKeyOfProject.has(path) ? { 'x-auth-key': own.auth_key } : { authorization: person.token }),
          'content-type': 'application/json',
        },
        body,
        signal: AbortSignal.timeout(60_000),
      },
    );
    if (status < 300 && body.includes(marker)) taken.add(`${method} ${path}`);
    return status;
  }
  for (const [endpoint, body] of known) {
    const [method = '', path = ''] = endpoint.split(' ');
    expect([endpoint, await call(method, path, body)]).toEqual([endpoint, expect.toSatisfy((s: number) => s < 300)]);
  }
  for (const { method, path } of changing) {
    const operation = testDocument().paths[path]?.[method.toLowerCase()];
    const schema = operation?.requestBody?.content?.['application/json']?.schema;
    if (schema === undefined) continue;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const status = await call(method, path, plant(valueFor(schema, random), '', marker));
      expect([method, path, status < 500 || status === 503]).toEqual([method, path, true]);
    }
  }
  expect(taken.size).toBeGreaterThan(known.length);
  const { rows } = await app.ctx.pool.query<{ row: string }>(
    `select row_to_json(a)::text as row from audit_events a where account_id = $1`,
    [person.id],
  );
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ row }) => row.includes(marker))).toEqual([]);
  const secrets = [own.auth_key, own.webhook_secret, person.apiKey, person.token, person.password];
  expect(rows.filter(({ row }) => secrets.some((secret) => row.includes(secret)))).toEqual([]);
});
