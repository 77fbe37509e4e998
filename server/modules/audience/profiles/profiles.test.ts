import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import {
  createProfile,
  deleteProfile,
  exportProfiles,
  getProfile,
  listProfileFields,
  listProfileFieldValues,
  listProfileMessages,
  listProfiles,
  updateProfile,
  upsertProfile,
} from '#contracts/profiles.ts';
import type { NewProfile, Profile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

const clock = createTestClock();
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Body = Partial<NewProfile> & { phone: string };

async function create(customer: Customer, body: Body): Promise<Profile> {
  return (await customer.api.call(createProfile, { body })).body;
}

describe('a profile', () => {
  test('is created with its number read and the defaults set', async () => {
    const customer = await signUpSubscriber(app.url);
    const { status, body } = await customer.api.call(createProfile, {
      body: {
        phone: '+1 (415) 555-2671',
        name: ' Ada ',
        email: '',
        custom_fields: { installed: true, plan: { seats: 3 } },
      },
    });
    expect(status).toBe(201);
    const at = clock.now().toISOString();
    expect(body).toEqual({
      id: body.id,
      phone: '14155552671',
      phone_given: '+1 (415) 555-2671',
      country_code: 'US',
      cc: '1',
      number: '4155552671',
      phone_is_valid: true,
      name: 'Ada',
      email: null,
      language: null,
      timezone: null,
      external_id: null,
      custom_fields: { installed: true, plan: { seats: 3 } },
      status: 'active',
      tags: [],
      opted_out: false,
      opted_out_at: null,
      on_whatsapp: null,
      on_whatsapp_checked_at: null,
      created_at: at,
      updated_at: at,
    });
    expect((await customer.api.call(getProfile, { params: { profileId: body.id } })).body).toEqual(body);
  });

  test('has its number alone in the account, however it is written', async () => {
    const customer = await signUpSubscriber(app.url);
    const first = await create(customer, { phone: '14155552671' });
    const again = await customer.api.refuse(createProfile, { body: { phone: '(415) 555-2671', country_code: 'us' } });
    expect([again.status, again.body.code, again.body.profile_id]).toEqual([409, 'profile_exists', first.id]);
    const other = await create(await signUpSubscriber(app.url), { phone: '14155552671' });
    expect(other.phone).toBe('14155552671');
    const second = await create(customer, { phone: '14155552672' });
    const taken = await customer.api.refuse(updateProfile, {
      params: { profileId: second.id },
      body: { phone: '+1 415 555 2671' },
    });
    expect([taken.status, taken.body.code, taken.body.profile_id]).toEqual([409, 'profile_exists', first.id]);
  });

  test.each<[string, object, string]>([
    ['no phone', {}, 'phone'],
    ['a short number', { phone: '1234567' }, 'phone'],
    ['a long number', { phone: '1234567890123456' }, 'phone'],
    ['a country that is not', { phone: '4155552671', country_code: 'XX' }, 'country_code'],
    ['a country of three letters', { phone: '4155552671', country_code: 'USA' }, 'country_code'],
    ['an email that is none', { phone: '14155552671', email: 'nobody' }, 'email'],
    ['custom fields as text', { phone: '14155552671', custom_fields: '{"a":1}' }, 'custom_fields'],
    ['custom fields as a list', { phone: '14155552671', custom_fields: [1] }, 'custom_fields'],
    ['half a letter', { phone: '14155552671', custom_fields: { a: '\ud800' } }, 'custom_fields.a'],
    ['custom fields without end', { phone: '14155552671', custom_fields: { a: 'x'.repeat(70_000) } }, 'custom_fields'],
    [
      'custom fields without bottom',
      { phone: '14155552671', custom_fields: JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as object },
      'custom_fields',
    ],
  ])('%s is a 422', async (_name, body, path) => {
    const customer = await signUpSubscriber(app.url);
    const refused = await customer.api.refuse(createProfile, { body: body as Body });
    expect([refused.status, refused.body.errors?.map((error) => error.path)]).toEqual([422, [path]]);
  });

  test('changes by what a body names and keeps the rest', async () => {
    const customer = await signUpSubscriber(app.url);
    const before = await create(customer, { phone: '14155552671', name: 'Ada', custom_fields: { a: 1 } });
    clock.advance(1000);
    const params = { profileId: before.id };
    const { body: after } = await customer.api.call(updateProfile, {
      params,
      body: { email: 'ada@example.com', status: 'vip' },
    });
    const updated_at = clock.now().toISOString();
    expect(after).toEqual({ ...before, email: 'ada@example.com', status: 'vip', updated_at });
    const { body: emptied } = await customer.api.call(updateProfile, {
      params,
      body: { name: null, custom_fields: null },
    });
    expect(emptied).toEqual({ ...after, name: null, custom_fields: null });
  });

  test('keeps its number when only its country changes', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id, phone } = await create(customer, { phone: '(415) 555-2671', country_code: 'US' });
    for (const country_code of ['us', null]) {
      const { body } = await customer.api.call(updateProfile, { params: { profileId: id }, body: { country_code } });
      expect(body).toMatchObject({ phone, country_code: 'US' });
    }
  });

  test.each([{}, { gone: null }])('without custom fields is not changed by an upsert of %j', async (custom_fields) => {
    const customer = await signUpSubscriber(app.url);
    const { body: before } = await customer.api.call(createProfile, { body: { phone: '14155550132' } });
    clock.advance(1000);
    const { body } = await customer.api.call(upsertProfile, { body: { phone: '14155550132', custom_fields } });
    expect(body).toEqual(before);
  });

  test('is upserted by its number', async () => {
    const customer = await signUpSubscriber(app.url);
    const first = await customer.api.call(upsertProfile, {
      body: { phone: '14155552671', name: 'Ada', custom_fields: { a: 1 } },
    });
    const second = await customer.api.call(upsertProfile, {
      body: { phone: '+1 415 555 2671', email: 'ada@example.com' },
    });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({
      id: first.body.id,
      name: 'Ada',
      email: 'ada@example.com',
      custom_fields: { a: 1 },
    });
  });

  test('comes once out of many upserts at a time', async () => {
    const customer = await signUpSubscriber(app.url);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        customer.api.call(upsertProfile, {
          body: { phone: '14155552671', custom_fields: { [`key_${index}`]: index } },
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const { body: fields } = await customer.api.call(listProfileFields, { query: { search: 'key_' } });
    // Each call names another field, and none takes away what another has put there.
    expect(fields.data.map(({ profiles }) => profiles)).toEqual(replies.map(() => 1));
  });

  test('is gone once deleted', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id } = await create(customer, { phone: '14155552671' });
    const params = { profileId: id };
    expect((await customer.api.call(deleteProfile, { params })).status).toBe(204);
    expect((await customer.api.refuse(getProfile, { params })).status).toBe(404);
    expect((await customer.api.refuse(deleteProfile, { params })).status).toBe(404);
  });
});

describe('the list', () => {
  let customer: Customer;
  const people: Body[] = [
    { phone: '14155550101', name: 'Ada Lovelace', email: 'ada@example.com' },
    { phone: '14155550102', name: 'Grace Hopper', email: 'grace@navy.example' },
    { phone: '442079460103', name: 'Alan 100% Turing' },
    { phone: '4915123456104', email: 'konrad@example.com' },
  ];

  beforeAll(async () => {
    customer = await signUpSubscriber(app.url);
    for (const person of people) await create(customer, person);
    await create(await signUpSubscriber(app.url), { phone: '14155550999', name: 'Ada Elsewhere' });
  });

  const list = async (query: z.input<typeof listProfiles.query>) => {
    const { body } = await customer.api.call(listProfiles, { query });
    return { phones: body.data.map(({ phone }) => phone.slice(-3)), total: body.total };
  };

  test('is newest first, in pages', async () => {
    expect(await list({ pageSize: 3 })).toEqual({ phones: ['104', '103', '102'], total: 4 });
    expect(await list({ pageSize: 3, page: 2 })).toEqual({ phones: ['101'], total: 4 });
    expect(await list({ pageSize: 3, page: 3 })).toEqual({ phones: [], total: 4 });
  });

  test.each([
    ['ada', ['101']],
    ['LOVE', ['101']],
    ['example', ['104', '102', '101']],
    ['100%', ['103']],
    ['_', []],
    ['gr', ['102']],
    ['al', ['103']],
    ['a', ['103', '101']],
    ['+1 415', ['102', '101']],
    ['+415', []],
    ['555-0101', ['101']],
    ['0103', ['103']],
    ['14', ['102', '101']],
    ['nobody here', []],
  ])('finds %j', async (search, phones) => {
    expect(await list({ search })).toEqual({ phones, total: phones.length });
  });

  test.each([
    [{ sort: 'name' }, ['101', '103', '102', '104']],
    [{ sort: 'name', order: 'desc' }, ['104', '102', '103', '101']],
    [{ sort: 'phone' }, ['101', '102', '103', '104']],
    [{ sort: 'id', order: 'asc' }, ['101', '102', '103', '104']],
    [{ sort: 'created_at' }, ['104', '103', '102', '101']],
    [{ sort: 'updated_at', order: 'asc' }, ['101', '102', '103', '104']],
    [{ sort: 'name', search: 'example' }, ['101', '102', '104']],
  ] as const)('is sorted by %j', async (query, phones) => {
    expect((await list(query)).phones).toEqual(phones);
  });
});

describe('messages', () => {
  test('find their profile both ways and leave its updated_at alone', async () => {
    const customer = await signUpSubscriber(app.url);
    const project = await makeProject(customer);
    const phone = await connectSandboxPhone(customer, project.id);
    const profile = await create(customer, { phone: '+1 415 555 2671' });
    const mexican = await create(customer, { phone: '+52 55 5123 4567' });
    clock.advance(60_000);
    const headers = { 'x-auth-key': project.auth_key, prefer: 'respond-async' };
    const send = async (to: string) =>
      (await customer.api.as(headers).call(sendMessage, { headers: {}, body: { to, message: 'Hi' } })).body;
    const receive = async (from: string) =>
      (await customer.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Yo' } }))
        .body;
    const sent = await send('14155552671');
    const received = await receive('14155552671');
    const fromMexico = await receive('5215551234567');
    await send('14155550000');

    const messages = async (profileId: number, limit = 50) => {
      const { body } = await customer.api.call(listProfileMessages, { params: { profileId }, query: { limit } });
      return body.data.map(({ id }) => id);
    };
    expect(await messages(profile.id)).toEqual([received.id, sent.id]);
    expect(await messages(profile.id, 1)).toEqual([received.id]);
    expect(await messages(mexican.id)).toEqual([fromMexico.id]);
    const { body: after } = await customer.api.call(getProfile, { params: { profileId: profile.id } });
    expect(after.updated_at).toBe(profile.updated_at);
  });
});

describe('the catalogue of fields', () => {
  test('follows every change of the profiles', async () => {
    const customer = await signUpSubscriber(app.url);
    const custom = async () => {
      const { body } = await customer.api.call(listProfileFields, { query: {} });
      return body.data.filter(({ path }) => path.startsWith('custom_fields'));
    };
    const one = await create(customer, { phone: '14155550101', custom_fields: { plan: 'pro', 'a.b': { c: 1 } } });
    const two = await create(customer, { phone: '14155550102', custom_fields: { plan: 2, list: ['x'] } });
    expect(await custom()).toEqual([
      { path: String.raw`custom_fields.a\.b`, types: ['object'], sample: '{"c":1}', profiles: 1 },
      { path: String.raw`custom_fields.a\.b.c`, types: ['number'], sample: '1', profiles: 1 },
      { path: 'custom_fields.list', types: ['array'], sample: '["x"]', profiles: 1 },
      {
        path: 'custom_fields.plan',
        types: expect.arrayContaining(['string', 'number']) as unknown,
        sample: expect.any(String) as unknown,
        profiles: 2,
      },
    ]);
    await customer.api.call(updateProfile, { params: { profileId: one.id }, body: { custom_fields: { plan: '' } } });
    await customer.api.call(deleteProfile, { params: { profileId: two.id } });
    expect(await custom()).toMatchObject([{ path: 'custom_fields.plan', types: ['empty'], profiles: 1 }]);
  });

  test('has the columns first, and finds by a part of the path', async () => {
    const customer = await signUpSubscriber(app.url);
    await create(customer, { phone: '14155550101', name: 'Ada', custom_fields: { nickname: 'Countess' } });
    const { body: all } = await customer.api.call(listProfileFields, { query: {} });
    expect(all.data[0]).toEqual({ path: 'phone', types: ['string'], sample: '14155550101', profiles: 1 });
    expect(all.data.find(({ path }) => path === 'email')).toMatchObject({ sample: null, profiles: 0 });
    const { body: some } = await customer.api.call(listProfileFields, { query: { search: 'NAME' } });
    expect(some.data.map(({ path }) => path)).toEqual(['name', 'custom_fields.nickname']);
  });
});

test('the export is CSV that no spreadsheet runs', async () => {
  const customer = await signUpSubscriber(app.url);
  await create(customer, { phone: '14155550101', name: '=1+1', custom_fields: { 'a,b': 'x"y', plan: { seats: 3 } } });
  await create(customer, { phone: '14155550102', custom_fields: { plan: { seats: '-1' } } });
  const response = await fetch(app.url + exportProfiles.path, { headers: { authorization: customer.token } });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = (await response.text())
    .split('\r\n')
    .map((line) => line.replace(/^\d+,/, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'));
  expect(lines).toEqual([
    'id,phone,country_code,name,email,language,timezone,external_id,status,tags,phone_is_valid,opted_out,opted_out_at,on_whatsapp,created_at,updated_at,"custom_fields.a,b",custom_fields.plan.seats',
    `14155550101,US,'=1+1,,,,,active,,true,false,,,TIME,TIME,"x""y",3`,
    "14155550102,US,,,,,,active,,true,false,,,TIME,TIME,,'-1",
    '',
  ]);
});

describe('the values of a field', () => {
  test('are those that profiles have, the most frequent first, and the members of lists', async () => {
    const customer = await signUpSubscriber(app.url);
    await create(customer, {
      phone: '14155552671',
      custom_fields: { plan: 'Pro', tags: ['a', 'b', 'b'], 'odd.key': 1 },
    });
    await create(customer, { phone: '14155552672', custom_fields: { plan: 'Pro', tags: ['b'], 'odd.key': { x: 1 } } });
    await create(customer, { phone: '14155552673', custom_fields: { plan: 'free', tags: 'c', 'odd.key': '' } });
    const values = async (path: string, search?: string) =>
      (await customer.api.call(listProfileFieldValues, { query: { path, ...(search && { search }) } })).body;
    expect(await values('custom_fields.plan')).toEqual({
      data: [
        { value: 'Pro', profiles: 2 },
        { value: 'free', profiles: 1 },
      ],
      is_complete: true,
    });
    expect((await values('custom_fields.tags')).data).toEqual([
      { value: 'b', profiles: 2 },
      { value: 'a', profiles: 1 },
      { value: 'c', profiles: 1 },
    ]);
    expect((await values(String.raw`custom_fields.odd\.key`)).data).toEqual([{ value: '1', profiles: 1 }]);
    expect((await values('status')).data).toEqual([{ value: 'active', profiles: 3 }]);
    expect((await values('created_at')).data[0]?.value).toBe(clock.now().toISOString());
    expect((await values('custom_fields.plan', 'FR')).data.map(({ value }) => value)).toEqual(['free']);
    expect((await values('custom_fields.none')).data).toEqual([]);
  });
});
