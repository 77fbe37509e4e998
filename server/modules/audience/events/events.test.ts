import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { listEventNames, listTrackedEvents, track, trackBatch } from '#contracts/events.ts';
import { identifyProfile } from '#contracts/identify.ts';
import { createProfile, deleteProfile, getProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { inTransaction } from '#server/context.ts';
import { keepEventBudgets, recountEvents, removeOldEventKeys } from './index.ts';
import { storeEvents } from './store-events.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const clock = createTestClock();
let app: TestApplication;
let owner: Customer;
let count = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock, env: { EVENTS_QUOTA_MIB: '1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const newPhone = () => `1415555${String(2000 + (count += 1))}`;
const iso = (agoMs: number) => new Date(clock.now().getTime() - agoMs).toISOString();
type Body = z.input<typeof track.body>;
const send = async (body: Body) => (await owner.api.call(track, { body })).body;
const refused = async (body: object) => {
  const { status, body: problem } = await owner.api.refuse(track, { body: body as Body });
  return { status, code: problem.code, errors: problem.errors };
};
const list = async (query: z.input<typeof listTrackedEvents.query> = {}) =>
  (await owner.api.call(listTrackedEvents, { query })).body;

beforeAll(async () => {
  owner = await signUpSubscriber(app.url);
});

test('a number is the same person however it is written', async () => {
  const ids: number[] = [];
  for (const phone of ['+44 (0)7911 123456', '447911123456', '0044 7911 123456', '+4407911123456']) {
    const { status, body } = await owner.api.call(track, { body: { phone, event: 'Seen' } });
    expect({ phone, status }).toEqual({ phone, status: 202 });
    ids.push(body.profile_id);
  }
  expect(new Set(ids).size).toBe(1);
});

test('digits that nobody could place once are national as soon as the account has a country', async () => {
  const { api } = await signUpSubscriber(app.url);
  const phoneOfEvent = async () => {
    const { body } = await api.call(track, { body: { phone: '912100017', event: 'Seen' } });
    return (await api.call(getProfile, { params: { profileId: body.profile_id } })).body.phone;
  };
  await api.call(updateCurrentUser, { body: { default_country: null } });
  expect(await phoneOfEvent()).toBe('912100017');
  await api.call(updateCurrentUser, { body: { default_country: 'PT' } });
  expect(await phoneOfEvent()).toBe('351912100017');
});

test('an event of an unknown number makes a profile, and is listed', async () => {
  const phone = newPhone();
  const { status, body } = await owner.api.call(track, {
    body: { phone: `+${phone}`, event: ' Order placed ', properties: { total: 64.5, items: ['a'] } },
  });
  expect({ status, answer: body.status }).toEqual({ status: 202, answer: 'accepted' });
  const profile = await owner.api.call(getProfile, { params: { profileId: body.profile_id } });
  expect(profile.body.phone).toBe(phone);
  expect((await list({ profile_id: body.profile_id })).data).toEqual([
    {
      id: body.id,
      profile_id: body.profile_id,
      profile_name: null,
      phone,
      event: 'Order placed',
      properties: { total: 64.5, items: ['a'] },
      timestamp: iso(0),
      received_at: iso(0),
      message_id: null,
    },
  ]);
});

test('events one by one are stored without being planned anew', async () => {
  const { body: profile } = await owner.api.call(createProfile, { body: { phone: newPhone() } });
  const event = { of: profile.phone, name: 'Seen', at: clock.now(), properties: {} };
  const account = { id: owner.id, timezone: 'UTC' };
  const plans = await inTransaction({ ...app.ctx, account }, async (tx) => {
    const read = async () => {
      const { rows } = await sql<{ custom: number }>`
        select custom_plans as custom from pg_prepared_statements where name = 'read-for-events'
      `.execute(tx.db);
      return Number(rows[0]?.custom);
    };
    for (let index = 0; index < 6; index += 1) await storeEvents(tx, [{ ...event, messageId: `plan-${index}` }]);
    const first = await read();
    await storeEvents(tx, [{ ...event, messageId: 'plan-last' }]);
    return (await read()) - first;
  });
  expect(plans).toBe(0);
});

test('a person is named by any of three ids; unknown ones but a phone are a 404', async () => {
  const phone = newPhone();
  const body = { phone, external_id: 'shop-1', traits: {} };
  const { id } = (await owner.api.call(identifyProfile, { body })).body;
  for (const ids of [{ phone }, { profile_id: id }, { external_id: 'shop-1' }, { phone, external_id: 'shop-1' }])
    expect((await send({ ...ids, event: 'Seen' })).profile_id).toBe(id);
  expect(await refused({ external_id: 'nobody', event: 'Seen' })).toMatchObject({ status: 404, code: 'not_found' });
  expect(await refused({ profile_id: 999_999_999, event: 'Seen' })).toMatchObject({ status: 404 });
  const other = await send({ phone: newPhone(), external_id: 'shop-2', event: 'Seen' });
  expect((await send({ external_id: 'shop-2', event: 'Seen' })).profile_id).toBe(other.profile_id);
  expect(await refused({ phone, external_id: 'shop-2', event: 'Seen' })).toMatchObject({ code: 'profile_exists' });
});

test('a message_id is stored once within 7 days, also of calls at the same moment', async () => {
  const phone = newPhone();
  const body = { phone, event: 'Paid', message_id: 'once' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
  expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(1);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  clock.advance(7 * dayMs - 1);
  expect((await send(body)).status).toBe('duplicate');
  clock.advance(2);
  await removeOldEventKeys(app.ctx);
  expect((await send(body)).status).toBe('accepted');
  expect((await list({ name: 'Paid' })).data).toHaveLength(2);
});

test('times of the last 90 days are taken, and a clock a little ahead', async () => {
  const phone = newPhone();
  const at = async (agoMs: number) => {
    const { id } = await send({ phone, event: 'Timed', timestamp: iso(agoMs) });
    return (await list({ name: 'Timed' })).data.find((event) => event.id === id)?.timestamp;
  };
  expect(await at(90 * dayMs)).toBe(iso(90 * dayMs));
  expect(await at(-4 * 60_000)).toBe(iso(0));
  for (const timestamp of [iso(90 * dayMs + 1), iso(-6 * 60_000), 'yesterday'])
    expect(await refused({ phone, event: 'Timed', timestamp })).toMatchObject({
      status: 422,
      errors: [{ path: 'timestamp' }],
    });
});

test.each<[string, object, string]>([
  ['no person', { event: 'A' }, 'phone'],
  ['no name', { phone: '14155550100' }, 'event'],
  ['a reserved name', { phone: '14155550100', event: '$message.read' }, 'event'],
  ['a long name', { phone: '14155550100', event: 'x'.repeat(101) }, 'event'],
  ['a number that is none', { phone: '12', event: 'A' }, 'phone'],
  ['properties that are a list', { phone: '14155550100', event: 'A', properties: [] }, 'properties'],
  ['too much in them', { phone: '14155550100', event: 'A', properties: { a: 'x'.repeat(17_000) } }, 'properties'],
  [
    'too many',
    { phone: '14155550100', event: 'A', properties: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, 1])) },
    'properties',
  ],
  [
    'too deep',
    { phone: '14155550100', event: 'A', properties: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
    'properties',
  ],
  ['an unknown field', { phone: '14155550100', event: 'A', propertys: {} }, 'propertys'],
])('refused: %s', async (_name, body, path) => {
  expect(await refused(body)).toMatchObject({ status: 422, code: 'invalid_input', errors: [{ path }] });
});

test('a batch answers each line, and a wrong one spoils no other', async () => {
  const [known, fresh] = [newPhone(), newPhone()];
  const { body: profile } = await owner.api.call(createProfile, { body: { phone: known } });
  const events = [
    { phone: known, event: 'Batch', message_id: 'b1' },
    { phone: fresh, event: 'Batch' },
    { phone: fresh, event: '' },
    { external_id: 'nobody', event: 'Batch' },
    { phone: known, event: 'Batch', message_id: 'b1' },
    { phone: known, event: 'Batch', tyemstamp: 1 },
    { phone: known, event: 'Batch', properties: { a: '\u0000' } },
    'no object',
    { phone: known, event: 'Batch', timestamp: iso(91 * dayMs) },
    { profile_id: profile.id, event: 'Batch' },
  ];
  const { status, body } = await owner.api.call(trackBatch, { body: { events: events as [] } });
  expect(status).toBe(202);
  expect(body.data.map(({ index }) => index)).toEqual(events.map((_, index) => index));
  expect(body.data.map((line) => line.error?.code ?? line.status)).toEqual([
    'accepted',
    'accepted',
    'invalid_input',
    'not_found',
    'duplicate',
    'invalid_input',
    'invalid_input',
    'invalid_input',
    'invalid_input',
    'accepted',
  ]);
  expect(body.data[4]?.id).toBe(body.data[0]?.id);
  expect(body.data[2]?.error?.message).toMatch(/^event: /);
  expect((await list({ name: 'Batch' })).data).toHaveLength(3);
  const many = { events: Array.from({ length: 501 }, () => events[0]) as [] };
  expect((await owner.api.refuse(trackBatch, { body: many })).status).toBe(422);
});

test('pages go through all events once, by person, by name and by time', async () => {
  const own = await signUpSubscriber(app.url);
  const phones = [newPhone(), newPhone()];
  const events = Array.from({ length: 25 }, (_, n) => ({
    phone: phones[n % 2] ?? '',
    event: n % 3 === 0 ? 'Third' : 'Other',
    properties: { n },
    timestamp: iso(Math.floor(n / 5) * hourMs),
  }));
  await own.api.call(trackBatch, { body: { events } });
  const all = async (query: object) => {
    const found: number[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const page = await own.api.call(listTrackedEvents, { query: { ...query, limit: 4, ...(after && { after }) } });
      found.push(...page.body.data.map(({ properties }) => Number(properties['n'])));
      after = page.body.next_cursor;
    }
    return found;
  };
  const everything = await all({});
  expect(everything.toSorted((a, b) => a - b)).toEqual(events.map((_, n) => n));
  expect(everything.map((n) => Math.floor(n / 5))).toEqual(
    everything.map((n) => Math.floor(n / 5)).toSorted((a, b) => a - b),
  );
  expect((await all({ name: 'Third' })).every((n) => n % 3 === 0)).toBe(true);
  const { body } = await own.api.call(listTrackedEvents, { query: { limit: 1 } });
  const person = body.data[0]?.profile_id ?? 0;
  expect([12, 13]).toContain((await all({ profile_id: person })).length);
  expect((await all({ from: iso(2 * hourMs), to: iso(hourMs) })).toSorted((a, b) => a - b)).toEqual([
    10, 11, 12, 13, 14,
  ]);
  expect((await own.api.refuse(listTrackedEvents, { query: { after: 'x' } })).status).toBe(422);
  expect(await all({ name: 'Never' })).toEqual([]);
});

test('names have counts, last times and properties with samples', async () => {
  const own = await signUpSubscriber(app.url);
  const phone = newPhone();
  const tell = (body: Omit<Body, 'phone'>) => own.api.call(track, { body: { phone, ...body } });
  await tell({ event: 'Bought', properties: { total: 10, to: { city: 'Lisbon' } }, timestamp: iso(3 * dayMs) });
  await tell({ event: 'Bought', properties: { total: 12.5, gift: true } });
  await tell({ event: 'Looked' });
  const names = async (query: z.input<typeof listEventNames.query>) =>
    (await own.api.call(listEventNames, { query })).body;
  const { data, usage, total } = await names({});
  expect(total).toBe(2);
  expect(data.map(({ name, count: n, last_day: day }) => [name, n, day])).toEqual([
    ['Bought', 2, 2],
    ['Looked', 1, 1],
  ]);
  expect(data[0]).toMatchObject({ first_seen_at: iso(3 * dayMs), last_seen_at: iso(0), hours: [] });
  expect(data[0]?.properties).toContainEqual({
    path: 'properties.total',
    types: ['number'],
    samples: ['12.5', '10'],
    share: 1,
  });
  expect(data[0]?.properties.map(({ path }) => path)).toContain('properties.to.city');
  expect(usage).toMatchObject({ names: 2, most_names: 1000, most_bytes: 1024 * 1024, kept_days: 395 });
  expect(usage.bytes).toBeGreaterThan(600);
  const [one] = (await names({ name: 'Bought' })).data;
  expect(one?.hours).toHaveLength(24);
  expect(one?.hours.at(-1)).toBe(2);
  expect((await names({ search: 'look' })).data.map(({ name }) => name)).toEqual(['Looked']);
});

test('an account has at most 1,000 names, also where two ask at once', async () => {
  const own = await signUpSubscriber(app.url);
  const phone = newPhone();
  const batch = (from: number) =>
    own.api.call(trackBatch, {
      body: { events: Array.from({ length: 500 }, (_, n) => ({ phone, event: `Name ${from + n}` })) },
    });
  const answers = await Promise.all([batch(0), batch(500), batch(1000)]);
  const lines = answers.flatMap(({ body }) => body.data);
  expect(lines.filter(({ status }) => status === 'accepted')).toHaveLength(1000);
  expect(new Set(lines.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['event_names_limit']));
});

test('the oldest events go where they take more room than they may; their counts stay', async () => {
  const own = await signUpSubscriber(app.url);
  const phone = newPhone();
  const text = 'x'.repeat(15_000);
  const tell = (n: number) => own.api.call(track, { body: { phone, event: 'Big', properties: { n, text } } });
  for (let n = 0; n < 76; n += 1) await tell(n);
  expect((await own.api.refuse(track, { body: { phone, event: 'Big' } })).body.code).toBe('event_budget_reached');
  await keepEventBudgets(app.ctx);
  const { body } = await own.api.call(listEventNames, { query: {} });
  expect(body.data[0]?.count).toBe(76);
  expect(body.usage.bytes).toBeLessThanOrEqual(body.usage.most_bytes);
  expect(body.usage.bytes).toBeGreaterThan(body.usage.most_bytes - 16_000);
  const kept = (await own.api.call(listTrackedEvents, { query: { limit: 100 } })).body.data.map(
    ({ properties }) => properties['n'],
  );
  expect(kept[0]).toBe(75);
  expect(kept).toHaveLength(Math.floor((1024 * 1024) / (body.usage.bytes / kept.length)));
  await tell(76);
});

test('with a profile its events go, and its room is given back by the next count', async () => {
  const own = await signUpSubscriber(app.url);
  const { body } = await own.api.call(track, { body: { phone: newPhone(), event: 'Gone' } });
  await own.api.call(deleteProfile, { params: { profileId: body.profile_id } });
  expect((await own.api.call(listTrackedEvents, { query: {} })).body.data).toEqual([]);
  await recountEvents(app.ctx);
  expect((await own.api.call(listEventNames, { query: {} })).body.usage.bytes).toBe(0);
});

test('a key needs events:write to tell, and contacts:read to read; accounts see their own alone', async () => {
  const own = await signUpSubscriber(app.url);
  const project = await makeProject(own);
  const keyWith = async (scopes: ('events:write' | 'contacts:read')[]) => {
    const params = { projectId: project.id };
    const { body } = await own.api.call(createProjectKey, { params, body: { name: scopes.join(), scopes } });
    return createApiClient(app.url, { 'x-auth-key': body.key });
  };
  const [writer, reader] = [await keyWith(['events:write']), await keyWith(['contacts:read'])];
  const body = { phone: newPhone(), event: 'Own' };
  const told = await writer.call(track, { body });
  expect((await reader.refuse(track, { body })).body.code).toBe('missing_scope');
  expect((await writer.refuse(listTrackedEvents)).body.code).toBe('missing_scope');
  expect((await reader.call(listTrackedEvents)).body.data.map(({ id }) => id)).toEqual([told.body.id]);
  expect((await list({ profile_id: told.body.profile_id })).data).toEqual([]);
  expect(await refused({ profile_id: told.body.profile_id, event: 'Own' })).toMatchObject({ status: 404 });
});

test('the path is the stream of live events for whoever asks as pages do, and the list for all others', async () => {
  const typeFor = async (query: string, headers: Record<string, string>) => {
    const ended = new AbortController();
    const response = await fetch(`${app.url}/api/events${query}`, {
      headers: { authorization: owner.token, ...headers },
      signal: ended.signal,
    });
    ended.abort();
    return response.headers.get('content-type')?.split(';')[0];
  };
  expect(await typeFor('', {})).toBe('text/event-stream');
  expect(await typeFor('?missed_ms=0', {})).toBe('text/event-stream');
  expect(await typeFor('', { accept: 'text/event-stream' })).toBe('text/event-stream');
  expect(await typeFor('', { accept: 'application/json' })).toBe('application/json');
  expect(await typeFor('?name=Paid', {})).toBe('application/json');
  expect(await typeFor('?limit=1', {})).toBe('application/json');
});
