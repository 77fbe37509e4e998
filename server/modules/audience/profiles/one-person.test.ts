import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listProfileMessages } from '#contracts/profiles.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import {
  createProfile,
  deleteProfile,
  listProfileFields,
  listProfiles,
  updateProfile,
  upsertProfile,
} from '#contracts/profiles.ts';
import { NewProfile } from '#contracts/profiles.ts';
import type { Profile } from '#contracts/profiles.ts';
import { inTransaction } from '#server/context.ts';
import { adoptFurtherMessages, adoptMessages } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createProfile as makeOne } from './create-profile.ts';
import { foldFieldDeltas } from './fold-field-deltas.ts';
import { numberForms } from '#contracts/understand-number.ts';
import { phoneKey } from './numbers/phone-key.ts';

const clock = createTestClock();
let app: TestApplication;
let customer: Customer;

beforeAll(async () => {
  app = await startTestApplication({ clock });
  customer = await signUpSubscriber(app.url);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Body = Partial<NewProfile> & { phone: string };

const upsert = async (body: Body) => customer.api.call(upsertProfile, { body });

describe('an upsert', () => {
  test('keeps the custom fields that it does not name, and null deletes one', async () => {
    const phone = '14155552001';
    await upsert({
      phone,
      custom_fields: { plan: 'pro', address: { city: 'Rome', street: 'Via' }, old: 1, none: null },
    });
    const { body } = await upsert({ phone, custom_fields: { address: { city: 'Milan' }, old: null, new: true } });
    expect(body.custom_fields).toEqual({ plan: 'pro', address: { city: 'Milan' }, new: true });
    const { body: replaced } = await customer.api.call(updateProfile, {
      params: { profileId: body.id },
      body: { custom_fields: { plan: 'free' } },
    });
    expect(replaced.custom_fields).toEqual({ plan: 'free' });
  });

  test('an update without a change writes nothing', async () => {
    const body = { phone: '+1 415 555 2002', name: 'Ada', custom_fields: { a: { x: 1, y: -0 }, b: null } };
    const first = (await upsert(body)).body;
    clock.advance(60_000);
    const again = (await upsert({ ...body, custom_fields: { b: null, a: { y: 0, x: 1 } } })).body;
    expect(again).toEqual(first);
    const edited = await customer.api.call(updateProfile, { params: { profileId: first.id }, body: { name: 'Ada' } });
    expect(edited.body.updated_at).toBe(first.updated_at);
    expect((await upsert({ ...body, name: 'Eve' })).body.updated_at).toBe(clock.now().toISOString());
  });

  test('cannot make more custom fields than one may have', async () => {
    const phone = '14155552003';
    await upsert({ phone, custom_fields: { a: 'x'.repeat(40_000) } });
    const refused = await customer.api.refuse(upsertProfile, {
      body: { phone, custom_fields: { b: 'x'.repeat(40_000) } },
    });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'custom_fields']);
  });

  test('finds the person by the other form of the number', async () => {
    const { body: made } = await upsert({ phone: '5491123456789', name: 'Ada' });
    const { status, body } = await upsert({ phone: '+54 11 2345-6789', name: 'Eve' });
    expect([status, body.id, body.phone, body.name]).toEqual([200, made.id, '5491123456789', 'Eve']);
    const refused = await customer.api.refuse(createProfile, { body: { phone: '541123456789' } });
    expect([refused.status, refused.body.profile_id]).toEqual([409, made.id]);
  });
});

describe('a number', () => {
  test('given by its country stays when the country is taken away', async () => {
    const { body } = await upsert({ phone: '030 901820', country_code: 'DE' });
    const { body: after } = await customer.api.call(updateProfile, {
      params: { profileId: body.id },
      body: { phone: '030 901820', country_code: null },
    });
    expect([after.phone, after.country_code]).toEqual(['4930901820', 'DE']);
  });

  test("with another country's calling code is refused on the country", async () => {
    const refused = await customer.api.refuse(createProfile, { body: { phone: '+49 30 901821', country_code: 'SE' } });
    expect(refused.body.errors).toEqual([
      { path: 'country_code', message: 'The number begins with +49, which is not the calling code of SE' },
    ]);
  });

  test.each([
    '5491123456789',
    '551187654321',
    '5511987654321',
    '551132654321',
    '5215512345678',
    '525512345678',
    '14155550100',
  ])('%s has one key for all its forms, which the database knows too', async (phone) => {
    for (const form of numberForms(phone)) expect(phoneKey(form)).toBe(phoneKey(phone));
    const { rows } = await sql<{ key: string }>`select phone_key(${phone}) as key`.execute(app.ctx.db);
    expect(rows[0]?.key).toBe(phoneKey(phone));
  });

  test('of two profiles from before the key is taken over by the younger when the older goes', async () => {
    const older = (await upsert({ phone: '5491123450001' })).body;
    await sql`
      insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, status, created_at, updated_at,
                            is_twin)
      values (${customer.id}, '541123450001', '', '', true, 'active', now(), now(), true)`.execute(app.ctx.db);
    expect((await upsert({ phone: '541123450001', name: 'Older' })).body.id).toBe(older.id);
    await customer.api.call(deleteProfile, { params: { profileId: older.id } });
    const { status, body } = await upsert({ phone: '5491123450001', name: 'Younger' });
    expect([status, body.phone]).toEqual([200, '541123450001']);
  });
});

describe('profiles that are made at the same time', () => {
  test('share transactions; each caller gets their own, and of one number the first makes it', async () => {
    const bodies: Body[] = Array.from({ length: 40 }, (_, index) => ({
      phone: `1415555${3000 + index}`,
      name: `Person ${index}`,
      custom_fields: { index },
    }));
    bodies[7] = { ...bodies[7], phone: '14155553007', opted_out: true };
    // Another way to write the number of the ninth.
    bodies[30] = { phone: '+1 (415) 555-3008', name: 'Late' };
    const actor = {
      kind: 'api_key',
      accountId: customer.id,
      role: 'owner',
      projectIds: null,
      keyId: null,
      scopes: null,
      keyHash: Buffer.alloc(32),
    } as const;
    const ctx = { ...app.ctx, actor, account: { id: customer.id, timezone: 'UTC' } };
    const answers = await Promise.allSettled(bodies.map((body) => makeOne(ctx, NewProfile.parse(body))));
    for (const [index, answer] of answers.entries()) {
      const { phone, name } = bodies[index] ?? {};
      if (answer.status === 'fulfilled') expect(answer.value).toMatchObject({ phone, name, opted_out: index === 7 });
      else expect([index, answer.reason]).toMatchObject([30, { code: 'profile_exists' }]);
    }
    const { rows } = await sql<{ profiles: number; transactions: number }>`
      select count(*) as profiles, count(distinct xmin::text) as transactions from profiles
       where account_id = ${customer.id} and phone like '14155553%'`.execute(app.ctx.db);
    expect(rows).toEqual([{ profiles: 39, transactions: 2 }]);
  });
});

describe('messages from before a profile', () => {
  test('are adopted when it is made, the other form of its number included, the rest in the background', async () => {
    const project = await makeProject(customer);
    const phone = await connectSandboxPhone(customer, project.id);
    await customer.api.call(receiveSandboxMessage, {
      params: { phoneId: phone.id },
      body: { from: '5491123450002', message: 'Hello' },
    });
    await sql`
      insert into messages (account_id, project_id, direction, recipient, body, status, created_at)
      select ${customer.id}, ${project.id}, 'outgoing', '541123450002', 'Hi', 'sent', now()
        from generate_series(1, 1500)`.execute(app.ctx.db);
    const { body: profile } = await customer.api.call(createProfile, { body: { phone: '541123450002' } });
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from messages where profile_id = ${profile.id}`.execute(app.ctx.db);
      return rows[0]?.count;
    };
    expect(await count()).toBe(1000);
    await adoptFurtherMessages(app.ctx);
    expect(await count()).toBe(1501);
    const { body: messages } = await customer.api.call(listProfileMessages, {
      params: { profileId: profile.id },
      query: {},
    });
    expect(messages.data.every(({ profile_id }) => profile_id === profile.id)).toBe(true);
  });

  test('of others are not read', async () => {
    const project = await makeProject(await signUpSubscriber(app.url));
    const { rows: made } = await sql<{ account_id: number; id: number }>`
      with written as (
        insert into messages (account_id, project_id, direction, recipient, body, status, created_at)
        select account_id, id, 'outgoing', '1415557' || n, 'Hi', 'sent', now()
          from projects cross join generate_series(1000, 1999) n where id = ${project.id}
      )
      insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, status, created_at, updated_at)
      select account_id, '14155573000', '', '', true, 'active', now(), now() from projects where id = ${project.id}
      returning account_id, id`.execute(app.ctx.db);
    const { account_id: accountId = 0, id = 0 } = made[0] ?? {};
    await inTransaction(app.ctx, async (tx) => {
      // A connection counts up to a second of earlier transactions as well.
      const readSoFar = async () => {
        const { rows } = await sql<{ read: number }>`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
           where relname like 'messages%'`.execute(tx.db);
        return rows[0]?.read ?? 0;
      };
      // The other tests' few messages are read as fast without an index, and a plan that was made for them is kept.
      await sql`set local enable_seqscan = off`.execute(tx.db);
      await sql`set local plan_cache_mode = force_custom_plan`.execute(tx.db);
      const before = await readSoFar();
      await adoptMessages(tx, { accountId, profileIds: [id] });
      expect((await readSoFar()) - before).toBeLessThan(10);
    });
  });
});

describe('the catalogue of fields', () => {
  const fieldsOf = async (api: Customer['api']) => {
    const { body } = await api.call(listProfileFields, { query: {} });
    return body.data.filter(({ profiles }) => profiles > 0).map(({ path, profiles }) => [path, profiles]);
  };

  test('is the same before and after it is folded, also when a part is folded alone', async () => {
    const other = await signUpSubscriber(app.url);
    const made: Profile[] = [];
    for (let index = 0; index < 5; index += 1) {
      const body = { phone: `1415555300${index}`, custom_fields: { a: index, [`b${index % 2}`]: 'x' } };
      made.push((await other.api.call(createProfile, { body })).body);
    }
    await other.api.call(deleteProfile, { params: { profileId: made[1]?.id ?? 0 } });
    const before = await fieldsOf(other.api);
    expect(before).toContainEqual(['custom_fields.b1', 1]);
    while ((await foldFieldDeltas(app.ctx, 7)) > 0) expect(await fieldsOf(other.api)).toEqual(before);
    expect(await fieldsOf(other.api)).toEqual(before);
    expect((await other.api.call(listProfiles, { query: {} })).body.total).toBe(4);
    await other.api.call(deleteProfile, { params: { profileId: made[3]?.id ?? 0 } });
    await foldFieldDeltas(app.ctx);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from profile_fields where account_id = ${other.id} and path = 'custom_fields.b1'`.execute(
      app.ctx.db,
    );
    expect(rows[0]?.count).toBe(0);
  });

  test('never has those who change profiles wait for each other', async () => {
    const other = await signUpSubscriber(app.url);
    await app.ctx.db.transaction().execute(async (open) => {
      await sql`
        insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, custom_fields, status,
                              created_at, updated_at)
        values (${other.id}, '14155554001', '', '', true, '{"a": 1}', 'active', now(), now())`.execute(open);
      const body = { phone: '14155554002', custom_fields: { a: 2 } };
      expect((await other.api.call(createProfile, { body })).status).toBe(201);
    });
    expect(await fieldsOf(other.api)).toContainEqual(['custom_fields.a', 2]);
  });
});
