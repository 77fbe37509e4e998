import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { buildIndexes } from './concurrent-indexes.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(() => database.drop());

/** The names of valid indexes, and of those that are not. */
async function indexNames(): Promise<{ valid: string[]; invalid: string[] }> {
  const { rows } = await database.pool.query<{ name: string; is_valid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as is_valid from pg_index
      where indrelid::regclass::text !~ '^pg_' order by 1`,
  );
  const names = (isValid: boolean) => rows.filter((row) => row.is_valid === isValid).map(({ name }) => name);
  return { valid: names(true), invalid: names(false) };
}

const build = (...indexes: Parameters<typeof buildIndexes>[1]) => buildIndexes(database.connectionString, indexes);

test('a table takes rows while its index is built, and several starts build it once', async () => {
  await database.pool.query(
    'create table people (n int); insert into people values (1); create index old on people (n)',
  );
  const writer = await database.pool.connect();
  await writer.query('begin; insert into people values (2)');
  const wanted = { name: 'people_by_n', table: 'people', columns: '(n)', replaces: 'old' };
  const building = Promise.all([build(wanted), build(wanted)]);
  await expect
    .poll(async () => (await database.pool.query('select from pg_stat_progress_create_index')).rowCount)
    .toBe(1);
  await database.pool.query(`begin; set local lock_timeout = '2s'; insert into people values (3); commit`);
  await writer.query('commit');
  writer.release();
  await building;
  expect(await indexNames()).toEqual({ valid: ['people_by_n'], invalid: [] });
});

test('an index that could not be built is built by the next start, once what was in its way is settled', async () => {
  await database.pool.query('create table people (n int); insert into people values (1), (1)');
  const wanted = { name: 'people_by_n', table: 'people', isUnique: true, columns: '(n)' };
  await expect(build(wanted)).rejects.toMatchObject({ code: '23505' });
  expect(await indexNames()).toEqual({ valid: [], invalid: ['people_by_n'] });
  await build({ ...wanted, prepare: 'delete from people where ctid = (select max(ctid) from people)' });
  expect(await indexNames()).toEqual({ valid: ['people_by_n'], invalid: [] });
});

test('a table in parts gets its index part by part, goes on after an interruption, and so do parts made later', async () => {
  await database.pool.query(
    `create table news (id int, n int) partition by range (id);
     create table news_a partition of news for values from (0) to (10);
     create table news_b partition of news for values from (10) to (20);
     insert into news values (1, 1), (11, 1), (12, 1)`,
  );
  const wanted = { name: 'by_n', table: 'news', isUnique: true, columns: '(id, n)' };
  await database.pool.query('insert into news values (12, 1)');
  await expect(build(wanted)).rejects.toMatchObject({ code: '23505' });
  expect(await indexNames()).toEqual({ valid: ['news_a_by_n'], invalid: ['by_n', 'news_b_by_n'] });
  await database.pool.query('delete from news where ctid = (select max(ctid) from news_b) and id = 12');
  await database.pool.query('create table news_c partition of news for values from (20) to (30)');
  await build(wanted);
  const { valid, invalid } = await indexNames();
  expect(invalid).toEqual([]);
  expect(valid).toEqual(['by_n', 'news_a_by_n', 'news_b_by_n', expect.stringMatching(/^news_c_/)]);
});
