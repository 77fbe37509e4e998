import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import { createRandom } from '#tests/support/random.ts';

const random = createRandom(20_261_127);

const value = (depth = 0): unknown =>
  random.pick<() => unknown>([
    () => 'text',
    () => '',
    () => random.below(3),
    () => random.chance(0.5),
    () => null,
    () => ['a'],
    () => (depth < 2 ? fields(depth + 1) : 'deep'),
  ])();

const fields = (depth = 0): object =>
  Object.fromEntries(['plan', 'a.b', 'c'].filter(() => random.chance(0.6)).map((key) => [key, value(depth)]));

const person = (phone: string) => ({
  phone,
  name: random.pick([null, '', 'Ada']),
  email: random.pick([null, 'ada@example.com']),
  custom_fields: random.chance(0.2) ? null : fields(),
  tags: ['one', 'two'].filter(() => random.chance(0.5)),
});

const recordset = `jsonb_to_recordset($2::jsonb) as x (phone text, name text, email text, custom_fields jsonb, tags text[])`;

test('changes are counted as if everybody were made anew as they came to be', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { pool } = database;
  const makeAccount = async (name: string) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
       values ($1::text, $1, $1, '', sha256(convert_to($1, 'UTF8')), '') returning id`,
      [name],
    );
    return rows[0]?.id;
  };
  const insert = (accountId: number | undefined, people: readonly object[]) =>
    pool.query(
      `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                             name, email, status, custom_fields, tags, created_at, updated_at)
       select $1, phone, phone, 'US', '1', phone, true, name, email, 'active', custom_fields, tags, now(), now()
         from ${recordset}`,
      [accountId, JSON.stringify(people)],
    );
  const catalogueOf = async (accountId: number | undefined) => {
    const { rows } = await pool.query<{ path: string }>(
      `select path, type, profiles from profile_field_totals where account_id = $1 order by path, type`,
      [accountId],
    );
    return rows;
  };
  const phones = Array.from({ length: 12 }, (_, index) => `1415555${1000 + index}`);
  const changed = await makeAccount('changed');
  await insert(changed, phones.map(person));
  for (let round = 0; round < 40; round += 1) {
    const people = phones.map(person);
    await pool.query(
      `update profiles p set name = x.name, email = x.email, custom_fields = x.custom_fields, tags = x.tags
         from ${recordset} where p.account_id = $1 and p.phone = x.phone`,
      [changed, JSON.stringify(people)],
    );
    const made = await makeAccount(`made ${round}`);
    await insert(made, people);
    expect(await catalogueOf(changed)).toEqual(await catalogueOf(made));
  }
  const paths = (await catalogueOf(changed)).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['custom_fields.plan', 'name', 'tags.one']));
});
