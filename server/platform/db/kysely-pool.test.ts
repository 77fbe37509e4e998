import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#server/platform/logger.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startRelay } from '#tests/support/relay.ts';
import { anyLength } from './any-length.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { kyselyPool } from './kysely-pool.ts';
import { createPool, readPoolOptions } from './pool.ts';
import { defaultTimeouts, setStatementTimeout } from './timeouts.ts';
import type { DatabaseTimeouts } from './timeouts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterAll(() => database.drop());

type Options = Partial<DatabaseTimeouts> & {
  isBehindPooler?: boolean;
  connectionString?: string;
  settings?: readonly string[];
};

/** The pool has a single connection, so that state left by a statement is seen by the next. */
function open({
  isBehindPooler = false,
  connectionString = database.connectionString,
  settings = [],
  ...rest
}: Options = {}) {
  const timeouts = { ...defaultTimeouts, ...rest };
  const ofSession = { timeouts, isBehindPooler, settings };
  const pool = createPool({ connectionString, logger: createLogger('silent'), maxConnections: 1, ...ofSession });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, ofSession) }) });
  onTestFinished(() => db.destroy());
  return db;
}

async function backendOf(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

const terminate = (pid: number) => database.pool.query('select pg_terminate_backend($1, 5000)', [pid]);

const unavailable = { name: 'DatabaseUnavailableError' };

test('a connection that is terminated inside a transaction fails that alone, and another takes its place', async () => {
  const db = open();
  const pid = await backendOf(db);
  const lost = db.transaction().execute(async (tx) => {
    await terminate(pid);
    await sql`select 1`.execute(tx);
  });
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await backendOf(db)).not.toBe(pid);
});

/** The words of a pooler whose server is killed amid a row. */
const serverCrashed = Buffer.from('E\0\0\0\x38SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0 and much more');

test.each([
  ['in which columns are missing', serverCrashed],
  ['that goes on with no message', Buffer.from('12345678?\0\0\0\x04')],
])('an answer %s breaks its connection alone', async (_, rest) => {
  const relay = await startRelay(database.connectionString);
  const db = open({ connectionString: relay.connectionString });
  const pid = await backendOf(db);
  relay.breakAnswer('cut here', rest);
  const columns = rest === serverCrashed ? sql`'cut here' as a, 1 as b, 2 as c` : sql`'cut here' as a`;
  await expect(sql`select ${columns}`.execute(db)).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await backendOf(db)).not.toBe(pid);
});

test('a database that cannot be reached is distinguished from a statement that is wrong', async () => {
  const nowhere = new URL(database.connectionString);
  nowhere.port = '1';
  await expect(backendOf(open({ connectionString: nowhere.href }))).rejects.toMatchObject(unavailable);
  await expect(sql`select nothing`.execute(open())).rejects.toMatchObject({ code: '42703' });
  await expect(sql`select 9007199254740992::bigint`.execute(open())).rejects.toThrow(RangeError);
});

test('a database that falls silent is given up, and asked again over a new connection', async () => {
  const relay = await startRelay(database.connectionString);
  const db = open({ connectionString: relay.connectionString, statementMs: 100, answerGraceMs: 100 });
  await backendOf(db);
  relay.fallSilent();
  await expect(backendOf(db)).rejects.toMatchObject(unavailable);
  relay.recover();
  expect(await backendOf(db)).toBeGreaterThan(0);
});

test.each([false, true])('with a pooler in front (%s) a transaction has its bounds', async (isBehindPooler) => {
  const db = open({ isBehindPooler });
  const bounds = await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
             current_setting('idle_in_transaction_session_timeout') as idle
    `.execute(tx);
    return rows[0];
  });
  expect(bounds).toEqual({ statement: '30s', lock: '10s', idle: '5s' });
  const { rows } = await sql`show statement_timeout`.execute(db);
  expect(rows).toEqual([{ statement_timeout: '30s' }]);
});

test.each([false, true])(
  'with a pooler in front (%s) a statement has the settings of its pool',
  async (isBehindPooler) => {
    const db = open({ isBehindPooler, settings: [...readPoolOptions.settings, 'search_path="cell",public'] });
    const { rows } = await sql`
    select current_setting('work_mem') as memory, current_setting('effective_cache_size') as cache,
           current_setting('jit') as jit, current_setting('search_path') as path
  `.execute(db);
    const path = expect.stringMatching(/^"?cell"?, ?public$/);
    expect(rows).toEqual([{ memory: '32MB', cache: '128MB', jit: 'off', path }]);
  },
);

test('behind a pooler nothing of a statement stays at the connection, be it alone, failed or in a transaction', async () => {
  const db = open({ isBehindPooler: true });
  const traces = sql`/* prepared: traces */
    select (select setting from pg_settings where name = 'statement_timeout') as bound,
           (select count(*) from pg_prepared_statements) as prepared, txid_current() as transaction`;
  const seen = [await traces.execute(db), await traces.execute(db)].flatMap(({ rows }) => rows);
  await expect(sql`select nothing`.execute(db)).rejects.toMatchObject({ code: '42703' });
  seen.push(...(await db.transaction().execute((tx) => traces.execute(tx))).rows, ...(await traces.execute(db)).rows);
  expect(seen).toHaveLength(4);
  expect(seen).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ bound: '30000', prepared: 0 })));
  const { rows } = await sql`/* prepared: traces */ show idle_in_transaction_session_timeout`.execute(db);
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
});

test('a statement behind a pooler that is alone takes effect, and one that fails leaves nothing', async () => {
  await database.pool.query('create table counted (n int check (n < 2))');
  const db = open({ isBehindPooler: true });
  await sql`insert into counted values (1)`.execute(db);
  await expect(sql`insert into counted values (1), (2)`.execute(db)).rejects.toMatchObject({ code: '23514' });
  expect((await database.pool.query('select n from counted')).rows).toEqual([{ n: 1 }]);
});

test.each([false, true])(
  'with a pooler in front (%s) a transaction waits for no answer that nobody reads, and all takes effect in its order',
  async (isBehindPooler) => {
    await database.pool.query('drop table if exists written; create table written (n int)');
    const db = open({ isBehindPooler });
    const holder = new pg.Client({ connectionString: database.connectionString });
    onTestFinished(() => holder.end());
    await holder.connect();
    await holder.query('select pg_advisory_lock(7)');
    const insert = (n: number) => sql`/* prepared: insert-written, unread */ insert into written values (${n})`;
    const seen = await db.transaction().execute(async (tx) => {
      await sql`/* prepared: wait-for-lock, unread */ select pg_advisory_xact_lock(7)`.execute(tx);
      await holder.query('select pg_advisory_unlock(7)');
      await insert(1).execute(tx);
      await insert(2).execute(tx);
      const { rows } = await sql`select n from written`.execute(tx);
      await insert(3).execute(tx);
      return rows;
    });
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await database.pool.query('select n from written')).rows).toHaveLength(3);
  },
);

test('an unread statement that was not sent yet is dropped when its transaction rolls back', async () => {
  await database.pool.query('create table given_up (n int)');
  const db = open();
  const work = db.transaction().execute(async (tx) => {
    await sql`/* prepared: give-up, unread */ insert into given_up values (1)`.execute(tx);
    throw new Error('Given up');
  });
  await expect(work).rejects.toThrow('Given up');
  await db.transaction().execute((tx) => sql`select 1`.execute(tx));
  expect((await database.pool.query('select n from given_up')).rows).toEqual([]);
});

test.each([false, true])(
  'with a pooler in front (%s) statements that wait for the commit are one, and there is none after a rollback',
  async (isBehindPooler) => {
    await database.pool.query('drop table if exists gathered; create table gathered (n int)');
    const db = open({ isBehindPooler });
    const gather = (...ns: number[]) => sql`/* prepared: gather, last */
    insert into gathered select n from unnest(${ns}::int[], ${ns}::int[]) as x (n, same) where n = same`;
    const seen = await db.transaction().execute(async (tx) => {
      await gather(1, 2).execute(tx);
      const { rows } = await sql`select n from gathered`.execute(tx);
      await gather(3).execute(tx);
      return rows;
    });
    expect(seen).toEqual([]);
    const givenUp = db.transaction().execute(async (tx) => {
      await gather(4).execute(tx);
      throw new Error('Given up');
    });
    await expect(givenUp).rejects.toThrow('Given up');
    await db.transaction().execute((tx) => sql`select 1`.execute(tx));
    await gather(5).execute(db);
    const { rows } = await database.pool.query('select n from gathered order by n');
    expect(rows).toEqual([1, 2, 3, 5].map((n) => ({ n })));
    const calls = sql<{ calls: number }>`
    select (generic_plans + custom_plans)::int as calls from pg_prepared_statements where name = 'gather'`;
    expect((await calls.execute(db)).rows).toEqual(isBehindPooler ? [] : [{ calls: 2 }]);
  },
);

test.each([
  ['the next statement', false],
  ['the commit', false],
  ['the next statement', true],
  ['the commit', true],
])('an unread statement that fails makes %s fail, with a pooler in front (%s)', async (place, isBehindPooler) => {
  await database.pool.query('drop table if exists unread; create table unread (n int check (n < 2))');
  const db = open({ isBehindPooler });
  const insert = (n: number) => sql`/* prepared: insert-unread, unread */ insert into unread values (${n})`;
  const work = db.transaction().execute(async (tx) => {
    await insert(1).execute(tx);
    await insert(2).execute(tx);
    await insert(1).execute(tx);
    if (place === 'the next statement') await sql`select 1`.execute(tx);
  });
  await expect(work).rejects.toMatchObject({ code: '23514' });
  expect((await database.pool.query('select n from unread')).rows).toEqual([]);
  await db.transaction().execute((tx) => insert(1).execute(tx));
  expect((await database.pool.query('select n from unread')).rows).toEqual([{ n: 1 }]);
});

test('a transaction that hangs lets its locks go in time', async () => {
  await database.pool.query('create table wanted as select 1 as id');
  const hung = new pg.Client({ connectionString: database.connectionString });
  const db = open({ idleInTransactionMs: 50 });
  onTestFinished(() => hung.end());
  await hung.connect();
  const hanging = db.transaction().execute(async (tx) => {
    await sql`select id from wanted for update`.execute(tx);
    await hung.query('update wanted set id = 2');
    await sql`select 1`.execute(tx);
  });
  await expect(hanging).rejects.toSatisfy(isDatabaseUnavailable);
});

test('work that takes longer says so, for its transaction alone', async () => {
  const db = open({ statementMs: 50, answerGraceMs: 50 });
  const slow = sql`select pg_sleep(0.3)`;
  await expect(slow.execute(db)).rejects.toMatchObject({ code: '57014' });
  await db.transaction().execute(async (tx) => {
    await setStatementTimeout(tx, 5_000);
    await slow.execute(tx);
  });
  await expect(slow.execute(db)).rejects.toMatchObject({ code: '57014' });
  await expect(setStatementTimeout(db, 1)).rejects.toThrow('in a transaction');
});

test('a prepared statement outlives a change of its table', async () => {
  await database.pool.query('create table growing (a int)');
  const db = open();
  const read = sql`/* prepared: growing */ select * from growing`;
  await read.execute(db);
  await database.pool.query('alter table growing add column b int');
  await read.execute(db).catch(() => undefined);
  expect((await read.execute(db)).rows).toEqual([]);
});

test('a prepared statement over a list keeps its plan, however long the list', async () => {
  const db = open();
  await sql`create table things (id bigint primary key, name text) partition by range (id)`.execute(db);
  await sql`create table things_of_now partition of things for values from (0) to (1000)`.execute(db);
  await sql`create table later_things partition of things for values from (1000) to (2000)`.execute(db);
  await sql`insert into things select n, 'A thing' from generate_series(1, 1999) n`.execute(db);
  await sql`analyze things`.execute(db);
  const read = (ids: readonly number[]) =>
    sql`/* prepared: read-things */ select t.* from unnest(${anyLength(ids, 'bigint')}) as x (id) join things t using (id)`.execute(
      db,
    );
  for (let time = 0; time < 10; time += 1) await read([time]);
  expect((await read([1, 2, 1500])).rows).toHaveLength(3);
  const { rows } = await sql`select custom_plans::int, generic_plans::int from pg_prepared_statements`.execute(db);
  expect(rows).toEqual([{ custom_plans: 5, generic_plans: 6 }]);
});
