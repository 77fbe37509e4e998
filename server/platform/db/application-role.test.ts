import { sql } from 'kysely';
import pg from 'pg';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { admitApplication } from './application-role.ts';
import { migrate } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';

let database: TestDatabase;
let application: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  application = new pg.Client({ connectionString: database.applicationConnectionString });
  await application.connect();
});

afterAll(async () => {
  await application.end();
  await database.drop();
});

const insufficient = { code: '42501' };

test('the application owns nothing and has no power over the server', async () => {
  const { rows } = await application.query(`
    select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
           (select count(*)::int from pg_class where relowner = r.oid) as relations,
           (select count(*)::int from pg_proc where proowner = r.oid) as functions
      from pg_roles r where rolname = current_user
  `);
  expect(rows[0]).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolbypassrls: false,
    rolreplication: false,
    relations: 0,
    functions: 0,
  });
});

test.each([
  'drop table accounts',
  'alter table accounts add column mine int',
  'create table mine ()',
  'truncate accounts',
  'alter function next_record_id() owner to current_user',
  'delete from kysely_migration',
  'delete from audit_events',
  `update audit_events set action = ''`,
  'truncate audit_events',
  `copy accounts to program 'true'`,
  'drop table messages cascade',
])('the application role is refused: %s', async (statement) => {
  await expect(application.query(statement)).rejects.toMatchObject(insufficient);
});

test('the application role reads and writes every table of the product but the audit log', async () => {
  const { rows } = await application.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'
       and c.oid not in (select relid from pg_partition_tree('audit_events'))
       and not has_table_privilege(c.oid, 'select, insert, update, delete')
  `);
  expect(rows).toEqual([]);
});

test('the application role makes and drops the partitions of time, and no other tables', async () => {
  const { rows: made } = await application.query(
    `select ensure_month_partitions('messages', '2020-01-01', 1), to_regclass('messages_2020_01') is not null as is_there`,
  );
  expect(made[0]).toBeDefined();
  const { rows } = await application.query(`select drop_months_before('messages', '2020-02-01') as dropped`);
  expect(rows).toEqual([{ dropped: ['messages_2020_01'] }]);
  for (const call of [
    `ensure_month_partitions('accounts', '2020-01-01', 1)`,
    `drop_months_before('accounts', now()::date)`,
  ]) {
    await expect(application.query(`select ${call}`)).rejects.toThrow('has no partitions');
  }
});

test('a month of the audit log can only be added to, from its first moment on and after each start', async () => {
  await application.query(`select ensure_month_partitions('audit_events', '2020-01-01', 1)`);
  await expect(application.query('delete from audit_events_2020_01')).rejects.toMatchObject(insufficient);
  const { application: role } = inject('testServer');
  const ofOlderStart = sql.raw(`grant update, delete, truncate on audit_events, audit_events_2020_01 to ${role.name}`);
  await ofOlderStart.execute(database.db);
  await admitApplication(database.connectionString, { name: role.name });
  for (const statement of [
    'alter table audit_events detach partition audit_events_2020_01',
    ...['audit_events', 'audit_events_2020_01'].flatMap((table) => [
      `update ${table} set action = ''`,
      `delete from ${table}`,
      `truncate ${table}`,
      `drop table ${table}`,
    ]),
  ]) {
    await expect(application.query(statement)).rejects.toMatchObject(insufficient);
  }
});

test('a month that has not ended is kept', async () => {
  await ensurePartitions(database.db, new Date('2021-03-10T12:00:00Z'));
  const { rows } = await application.query(`select drop_months_before('messages', '2021-03-31') as dropped`);
  expect(rows).toEqual([{ dropped: ['messages_2021_02'] }]);
});

test('tables that come later are let in, and starts side by side admit it once', async () => {
  const { application: role } = inject('testServer');
  await Promise.all([1, 2, 3].map(() => admitApplication(database.connectionString, role)));
  await sql`create table later (id int)`.execute(database.db);
  await application.query('insert into later values (1)');
});

test('a start writes no warning into the log of the database, and a second one changes no right', async () => {
  const { application: role } = inject('testServer');
  const own = await createTestDatabase({ isMigrated: false });
  onTestFinished(own.drop);
  const owner = `owner_${randomUUID().slice(0, 8)}`;
  const name = new URL(own.connectionString).pathname.slice(1);
  await own.pool.query(`create role ${owner} login password 'secret'; alter database ${name} owner to ${owner};
                        grant ${owner} to current_user; alter role ${owner} set log_min_messages = 'warning'`);
  const url = new URL(own.connectionString);
  [url.username, url.password] = [owner, 'secret'];
  await migrate(url.href);
  await admitApplication(url.href, { name: role.name });
  expect(await readFile(inject('testServer').log, 'utf8')).not.toContain('no privileges were granted');
  const rights = async () =>
    (await own.pool.query('select oid, xmin, relacl from pg_class where relacl is not null order by oid')).rows;
  const before = await rights();
  await admitApplication(url.href, { name: role.name });
  expect(await rights()).toEqual(before);
});
