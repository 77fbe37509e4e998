import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { listFields, putField } from '#contracts/fields.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { identifyProfile } from '#contracts/identify.ts';
import { deleteProfile, updateProfile, upsertProfile } from '#contracts/profiles.ts';
import { createSegment, previewSegment } from '#contracts/segments.ts';
import { inTransaction } from '#server/context.ts';
import { deleteProfiles, restoreProfiles } from '#server/modules/audience/profiles/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { typeNextSlice } from './type-values.ts';

const seed = Number(process.env['SEED'] ?? 5);
let api: TestApplication;

beforeAll(async () => {
  // The tests fill the values in themselves.
  api = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const ctxOf = ({ id }: Customer) => ({ ...api.ctx, account: { id, timezone: 'UTC' } });

async function fill(): Promise<void> {
  while (await typeNextSlice(api.ctx));
}

/** Other tests have transactions open, too, for which a field may wait. */
async function fillUntilReady(customer: Customer, path: string): Promise<void> {
  await expect
    .poll(async () => {
      await fill();
      return (await stateOf(customer, path))?.state;
    })
    .toBe('ready');
}

const typeIt = ({ api: client }: Customer, path: string, type: FieldType | null) =>
  client.call(putField, { params: { path }, body: { type } });

const stateOf = async ({ api: client }: Customer, path: string) =>
  (await client.call(listFields, { query: { search: path } })).body.data[0];

async function addProfiles({ id }: Customer, from: number, fields: readonly (Record<string, unknown> | null)[]) {
  const rows = fields.map((custom, index) => ({
    account_id: id,
    phone: String(14_155_550_000 + from + index),
    phone_given: 'as given',
    calling_code: '1',
    national_number: String(4_155_550_000 + from + index),
    phone_is_valid: true,
    custom_fields: custom && JSON.stringify(custom),
    status: 'active',
    created_at: new Date(),
    updated_at: new Date(),
  }));
  await api.ctx.db.insertInto('profiles').values(rows).execute();
}

/** Of the fields that have a type now: rows that are stored, and those that the profiles would give. */
async function storedAndWanted({ id }: Customer) {
  const columns = sql`f.path, p.id, r.place, r.number, r.day, r.text, r.is_readable`;
  const order = sql`order by 1, 2, 3`;
  const wanted = await sql`
    select ${columns} from profiles p join typed_fields f on f.account_id = p.account_id and f.dropped_at is null
      cross join lateral typed_rows(typed_value_at(p.custom_fields, f.keys), f.type) as r
     where p.account_id = ${id} ${order}`.execute(api.ctx.db);
  const stored = await sql`
    select f.path, r.profile_id as id, r.place, r.number, r.day, r.text, r.is_readable
      from typed_values r join typed_fields f on f.account_id = r.account_id and f.id = r.field_id and f.dropped_at is null
     where r.account_id = ${id} ${order}`.execute(api.ctx.db);
  return { stored: stored.rows, wanted: wanted.rows };
}

test(`values follow every way in which a profile is written, before, while and after they are filled in (SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const customer = await signUpSubscriber(api.url);
  const values: readonly unknown[] = ['1', 2, '2026-01-02', 'x, y', ['a', 'A', 3], { b: 1 }, true, 'no', '', null, []];
  const fields = () =>
    random.chance(0.1)
      ? null
      : Object.fromEntries(['a', 'b', 'c'].filter(() => random.chance(0.8)).map((key) => [key, random.pick(values)]));
  await addProfiles(customer, 0, Array.from({ length: 40 }, fields));
  const types: FieldType[] = ['number', 'date', 'list'];
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    await typeIt(customer, `custom_fields.${key}`, types[index] ?? 'text');
  }
  const phone = () => `1415555${String(random.below(60)).padStart(4, '0')}`;
  const idOf = async () =>
    (
      await sql<{
        id: number;
      }>`select id from profiles where account_id = ${customer.id} and phone = ${phone()}`.execute(api.ctx.db)
    ).rows[0]?.id;
  const client = customer.api;
  let deleted: Parameters<typeof restoreProfiles>[1] = [];
  const ways: (() => Promise<unknown>)[] = [
    () => client.call(upsertProfile, { body: { phone: `+${phone()}`, custom_fields: fields() } }),
    () => client.call(identifyProfile, { body: { phone: `+${phone()}`, traits: fields() ?? {} } }),
    async () => {
      const profileId = await idOf();
      if (profileId) await client.call(updateProfile, { params: { profileId }, body: { custom_fields: fields() } });
    },
    async () => {
      const profileId = await idOf();
      if (profileId) await client.call(deleteProfile, { params: { profileId } });
    },
    async () => {
      const profileId = await idOf();
      if (!profileId) return;
      deleted = await inTransaction(ctxOf(customer), async (tx) =>
        (await deleteProfiles(tx, [profileId])).map(({ profile }) => profile),
      );
    },
    () => inTransaction(ctxOf(customer), (tx) => restoreProfiles(tx, deleted)),
    () => typeNextSlice(api.ctx),
  ];
  for (let step = 0; step < 120; step += 1) await random.pick(ways)();
  for (const key of ['a', 'b', 'c']) await fillUntilReady(customer, `custom_fields.${key}`);
  const { stored, wanted } = await storedAndWanted(customer);
  expect(stored).toEqual(wanted);
  expect(stored.length).toBeGreaterThan(30);
});

test('a profile whose transaction began before the field had its type is not missed', async () => {
  const customer = await signUpSubscriber(api.url);
  const path = 'custom_fields.visits';
  await addProfiles(customer, 100, [{ visits: 1 }]);
  const early = await api.ctx.pool.connect();
  try {
    await early.query('begin');
    await early.query(
      `insert into profiles (account_id, phone, phone_given, calling_code, national_number, phone_is_valid, custom_fields,
                             status, created_at, updated_at)
       values ($1, '14155550190', '', '1', '4155550190', true, '{"visits": 5}', 'active', now(), now())`,
      [customer.id],
    );
    await typeIt(customer, path, 'number');
    await fill();
    expect(await stateOf(customer, path)).toMatchObject({ state: 'building', unreadable: null });
    await early.query('commit');
  } finally {
    early.release();
  }
  await fillUntilReady(customer, path);
  const { stored, wanted } = await storedAndWanted(customer);
  expect([stored.length, stored]).toEqual([2, wanted]);
});

test.each([
  ['changed', `update profiles set custom_fields = '{"visits": 9}' where account_id = $1`],
  ['deleted', 'delete from profiles where account_id = $1'],
])('a slice waits for a profile that is being %s, and reads it as it is then', async (how, statement) => {
  const customer = await signUpSubscriber(api.url);
  const path = 'custom_fields.visits';
  await addProfiles(customer, how === 'changed' ? 300 : 400, [{ visits: 1 }]);
  await typeIt(customer, path, 'number');
  // The first turn only notes which transactions are open.
  await typeNextSlice(api.ctx);
  const writer = await api.ctx.pool.connect();
  try {
    await writer.query('begin');
    await writer.query(statement, [customer.id]);
    const slice = (async () => {
      for (;;) {
        await typeNextSlice(api.ctx);
        if ((await stateOf(customer, path))?.state === 'ready') return;
      }
    })();
    await untilSomebodyWaits(api.ctx.pool);
    await writer.query('commit');
    await slice;
  } finally {
    writer.release();
  }
  const { stored, wanted } = await storedAndWanted(customer);
  expect(stored).toEqual(wanted);
  expect(stored.map((row) => (row as { number: number }).number)).toEqual(how === 'changed' ? [9] : []);
});

test('a segment counts the same while its field is building, once it is ready, and with another type', async () => {
  const customer = await signUpSubscriber(api.url);
  const path = 'custom_fields.score';
  await addProfiles(customer, 200, [{ score: '9' }, { score: 10 }, { score: '10.0' }, { score: 'ten' }, null]);
  const count = async (expression: Expression) =>
    (await customer.api.call(previewSegment, { body: { expression } })).body;
  await typeIt(customer, path, 'number');
  const atLeast: Expression = { field: path, op: 'gt', value: 9 };
  const before = await count({ not: atLeast });
  await fillUntilReady(customer, path);
  const after = await count({ not: atLeast });
  expect([before.count, after.count, after.lines]).toEqual([2, 2, before.lines]);
  expect((await count(atLeast)).served_by).toBe('index');
  await customer.api.call(createSegment, {
    body: { name: 'Ten', expression: { field: path, op: 'equals', value: 10 } },
  });
  await typeIt(customer, path, 'text');
  const equals: Expression = { field: path, op: 'equals', value: '10' };
  const asText = await count(equals);
  await fillUntilReady(customer, path);
  expect([asText.count, (await count(equals)).count, (await count(equals)).served_by]).toEqual([1, 1, 'index']);
  const { stored, wanted } = await storedAndWanted(customer);
  expect(stored).toEqual(wanted);
});
