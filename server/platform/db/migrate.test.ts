import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(() => database.drop());

const creating = (table: string): Migration => ({
  up: async (db) => {
    await sql`create table ${sql.table(table)} ()`.execute(db);
  },
});

async function hasTable(table: string): Promise<boolean> {
  const { rows } = await database.pool.query('select to_regclass($1) is not null as is_there', [table]);
  return rows[0].is_there;
}

test('every file is in the list, in order', async () => {
  const files = await readdir(new URL('migrations', import.meta.url));
  const names = files.filter((file) => /^\d{4}-.*\.ts$/.test(file)).map((file) => file.replace('.ts', ''));
  expect(Object.keys(migrations)).toEqual(names.toSorted());
});

test('an empty database gets the newest schema, once', async () => {
  expect(await migrate(database.connectionString)).toEqual(Object.keys(migrations));
  expect(await hasTable('accounts')).toBe(true);
  expect(await migrate(database.connectionString)).toEqual([]);
});

test('processes that start together migrate once', async () => {
  const all = { '0001-a': creating('a'), '0002-b': creating('b') };
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(database.connectionString, { all })));
  expect(ran.flat()).toEqual(['0001-a', '0002-b']);
});

test('a migration that fails leaves nothing of itself, is named with the words of the database, and those before it stay', async () => {
  const broken: Migration = {
    up: async (db) => {
      await sql`create table b ()`.execute(db);
      await sql`select no_such_function()`.execute(db);
    },
  };
  const all = { '0001-a': creating('a'), '0002-b': broken, '0003-c': creating('c') };
  await expect(migrate(database.connectionString, { all })).rejects.toThrow(
    'The database could not be migrated (0002-b): function no_such_function() does not exist',
  );
  expect(await Promise.all(['a', 'b', 'c'].map(hasTable))).toEqual([true, false, false]);
  expect(await migrate(database.connectionString, { all: { ...all, '0002-b': creating('b') } })).toEqual([
    '0002-b',
    '0003-c',
  ]);
});

test('an older version starts beside a newer one, unless that has taken something away', async () => {
  const old = { '0001-a': creating('a') };
  await migrate(database.connectionString, { all: { ...old, '0002-b': creating('b') } });
  expect(await migrate(database.connectionString, { all: old })).toEqual([]);
  await migrate(database.connectionString, {
    all: { ...old, '0002-b': creating('b'), '0003-contract-a': creating('c') },
    finishes: true,
  });
  await expect(migrate(database.connectionString, { all: old })).rejects.toThrow('0003-contract-a');
});

test('a contracting migration runs on a new database, and else where the upgrade is to be finished', async () => {
  const all = { '0001-a': creating('a'), '0002-contract-b': creating('b') };
  expect(await migrate(database.connectionString, { all })).toEqual(['0001-a', '0002-contract-b']);
  const later = { ...all, '0003-contract-c': creating('c'), '0004-d': creating('d') };
  expect(await migrate(database.connectionString, { all: later })).toEqual(['0004-d']);
  expect(await migrate(database.connectionString, { all: later })).toEqual([]);
  expect(await migrate(database.connectionString, { all: later, finishes: true })).toEqual(['0003-contract-c']);
  expect(await hasTable('c')).toBe(true);
});

test('a migration that waits for a table lets others pass, and is made once the table is free', async () => {
  await database.pool.query('create table busy ()');
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select from busy');
  const waiting: Migration = {
    up: async (db) => {
      await sql`alter table busy add column a int`.execute(db);
    },
  };
  const migrating = migrate(database.connectionString, { all: { '0001-a': waiting }, lockTimeoutMs: 50 });
  await expect
    .poll(async () => (await database.pool.query(`select from pg_locks where not granted`)).rowCount)
    .toBeGreaterThan(0);
  // Behind a waiting ALTER TABLE every reader would wait; this one does not for long.
  await database.pool.query(`set lock_timeout = '5s'; select from busy; reset lock_timeout`);
  await client.query('commit');
  client.release();
  expect(await migrating).toEqual(['0001-a']);
});
