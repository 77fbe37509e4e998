import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#server/database.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { beginWorker, claimLeases, renewWorker } from './index.ts';

let database: TestDatabase;
let phones: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  await pool.query(`insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
                    values ('A', 'a@example.com', 'a@example.com', '', '', '')`);
  await pool.query(`insert into projects (account_id, name, auth_key_hash, auth_key_sealed, webhook_secret_sealed, created_at)
                    select id, 'A', '', '', '', now() from accounts`);
  const { rows } = await pool.query<{ id: number }>(
    `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
     select account_id, id, 5511900000000 + n, 'sandbox', 'connected', now(), 'online', now()
       from projects, generate_series(1, 40) n returning id`,
  );
  phones = rows.map(({ id }) => id);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('delete from phone_leases');
  await database.pool.query('delete from phone_workers');
});

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

/** A worker of today whose lease stands. */
async function beginAs(owner: string) {
  const epoch = (await beginWorker(database, { owner, most: 1_000 })) ?? 0;
  const take = async (limit: number, among?: number[]) =>
    (await claimLeases(database, { owner, epoch, limit, ...(among && { among }) })).map(({ phoneId }) => phoneId);
  return { epoch, take };
}

const endLeaseOf = (owner: string) =>
  query(`update phone_workers set expires_at = clock_timestamp() - interval '1 second' where owner = $1`, [owner]);

/** As the release before asks; its sources are in `tests/upgrade/releases`. */
const older = {
  beat: (owner: string) =>
    query(
      `with gone as (delete from phone_workers where seen_at < clock_timestamp() - interval '1 day')
       insert into phone_workers (owner, seen_at) values ($1, clock_timestamp())
       on conflict (owner) do update set seen_at = excluded.seen_at`,
      [owner],
    ),
  async take(owner: string, limit: number): Promise<number[]> {
    const rows = await query(
      `with lapsed as (
         select l.phone_id
           from phone_leases l join phones p on p.id = l.phone_id
          where (p.wanted <> 'offline' or p.sign_out_requested) and l.expires_at < clock_timestamp()
            and l.phone_id <> all('{}'::bigint[])
          order by l.phone_id
          limit $2
            for no key update of l skip locked
       ), taken as (
         update phone_leases l set owner = $1, token = nextval('lease_token_seq'),
                expires_at = clock_timestamp() + 15000 * interval '1 millisecond'
           from lapsed
          where l.phone_id = lapsed.phone_id
         returning l.account_id, l.phone_id, l.token
       ), free as (
         select p.account_id, p.id
           from phones p
          where (p.wanted <> 'offline' or p.sign_out_requested) and p.id <> all('{}'::bigint[])
            and not exists (select from phone_leases l where l.phone_id = p.id)
          order by p.id
          limit $2
            for key share of p skip locked
       ), added as (
         insert into phone_leases (account_id, phone_id, owner, token, expires_at)
         select account_id, id, $1, nextval('lease_token_seq'), clock_timestamp() + 15000 * interval '1 millisecond' from free
          limit $2 - (select count(*) from taken)
         on conflict (phone_id) do nothing
         returning account_id, phone_id, token
       )
       select phone_id from taken union all select phone_id from added`,
      [owner, limit],
    );
    return rows.map((row) => row.phone_id);
  },
};

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

/**
 * A connection that changes leases row by row and waits at the first phone, so that something can happen before it
 * comes to the next one.
 */
async function slowConnection() {
  const pool = new pg.Pool({
    connectionString: database.connectionString,
    max: 1,
    application_name: 'slow',
    options: '-c enable_hashjoin=off -c enable_mergejoin=off',
  });
  // The test's database ends connections as it goes.
  pool.on('error', () => undefined);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const locker = await database.pool.connect();
  await locker.query('select pg_advisory_lock(1)');
  await query(`create function wait_here() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') = 'slow' then perform pg_advisory_xact_lock(1); end if;
      return new;
    end $$`);
  await query(`create trigger wait_here before update on phone_leases for each row when (old.phone_id = ${phones[0]})
    execute function wait_here()`);
  onTestFinished(async () => {
    await locker.query('select pg_advisory_unlock_all()');
    locker.release();
    await db.destroy();
    await query('drop function wait_here() cascade');
  });
  return {
    ctx: { db },
    pool,
    untilItWaits: () =>
      expect
        .poll(() => query(`select from pg_locks where locktype = 'advisory' and not granted`), { interval: 5 })
        .toHaveLength(1),
    goOn: () => locker.query('select pg_advisory_unlock_all()'),
  };
}

const ownerOf = async (phoneId: number | undefined) =>
  (await query('select owner from phone_leases where phone_id = $1', [phoneId]))[0]?.owner;

describe('workers of today', () => {
  test('claims of many workers at once have no phone in common, and leave none', async () => {
    const workers = await Promise.all(Array.from({ length: 8 }, (_, index) => beginAs(`worker-${index}`)));
    const taken: number[] = [];
    // Phones that nobody ever held, then those of a worker that has gone.
    for (const round of ['free', 'lapsed']) {
      if (round === 'lapsed') await query(`update phone_leases set owner = 'gone', expires_at = 'epoch'`);
      taken.length = 0;
      for (let rounds = 0; rounds < phones.length && taken.length < phones.length; rounds += 1) {
        taken.push(...(await Promise.all(workers.map(({ take }) => take(5)))).flat());
      }
      expect(sorted(taken)).toEqual(sorted(phones));
    }
  });

  test('a phone that its worker has taken anew is left to it by a claim that began before', async () => {
    const [first, second] = phones;
    const worker = await beginAs('worker');
    await worker.take(2, phones.slice(0, 2));
    await endLeaseOf('worker');
    const { epoch } = await beginAs('other');
    const slow = await slowConnection();
    const claimed = claimLeases(slow.ctx, { owner: 'other', epoch, limit: 2, among: phones.slice(0, 2) });
    await slow.untilItWaits();
    expect(await (await beginAs('worker')).take(1, [second ?? 0])).toEqual([second]);
    await slow.goOn();
    // This connection reads no bigint as a number.
    expect((await claimed).map(({ phoneId }) => String(phoneId))).toEqual([String(first)]);
    expect(await ownerOf(second)).toBe('worker');
  });

  test('a worker whose lease has ended claims nothing, and its next lease frees what it held', async () => {
    const worker = await beginAs('worker');
    expect(await worker.take(1)).toHaveLength(1);
    await endLeaseOf('worker');
    expect(await worker.take(5)).toEqual([]);
    const next = await beginAs('worker');
    expect(await worker.take(5)).toEqual([]);
    expect(await (await beginAs('other')).take(100)).toHaveLength(phones.length);
    expect(await next.take(100)).toEqual([]);
  });

  test('a name under which another process lives is begun by nobody else', async () => {
    const first = await beginAs('worker');
    const second = await beginAs('worker');
    expect(await beginWorker(database, { owner: 'worker', most: 1, after: first.epoch })).toBeUndefined();
    expect(await second.take(1)).toHaveLength(1);
    await endLeaseOf('worker');
    expect(await beginWorker(database, { owner: 'worker', most: 1, after: first.epoch })).toBeGreaterThan(second.epoch);
  });
});

describe('beside the release before', () => {
  test('a phone of a living worker is left alone', async () => {
    const worker = await beginAs('worker');
    await older.beat('older');
    expect(await worker.take(100)).toHaveLength(phones.length);
    await query(`update phone_leases set expires_at = clock_timestamp() + interval '15 minutes'`);
    await older.beat('older');
    expect(await older.take('older', 100)).toEqual([]);
  });

  test('phones of a worker that was killed go to the older one as soon as their lease ends', async () => {
    const [worker, other] = [await beginAs('worker'), await beginAs('other')];
    const [taken, kept] = [await worker.take(20), await other.take(20)];
    expect([taken.length, kept.length]).toEqual([20, 20]);
    await query(`update phone_leases set expires_at = clock_timestamp() + interval '15 minutes'`);
    await endLeaseOf('worker');
    expect(await older.take('older', 100)).toEqual([]);
    await older.beat('older');
    expect(sorted(await older.take('older', 100))).toEqual(sorted(taken));
    await older.beat('older');
    expect(await older.take('older', 100)).toEqual([]);
  });

  test('phones that a worker gave up as it began anew go to the older one', async () => {
    await (await beginAs('worker')).take(100);
    await query(`update phone_leases set expires_at = clock_timestamp() + interval '15 minutes'`);
    await beginAs('worker');
    await older.beat('older');
    expect(await older.take('older', 100)).toHaveLength(phones.length);
  });

  test('a phone that its worker has taken anew is not freed by a heartbeat that began before', async () => {
    const [, second] = phones;
    await (await beginAs('worker')).take(2, phones.slice(0, 2));
    await endLeaseOf('worker');
    const slow = await slowConnection();
    const beaten = slow.pool.query(`insert into phone_workers (owner, seen_at) values ('older', clock_timestamp())`);
    await slow.untilItWaits();
    expect(await (await beginAs('worker')).take(1, [second ?? 0])).toEqual([second]);
    await slow.goOn();
    await beaten;
    expect(await older.take('older', 100)).not.toContain(second);
    expect(await ownerOf(second)).toBe('worker');
  });

  test('a phone of that release is taken once its own lease has ended, however long its worker is seen', async () => {
    await older.beat('older');
    const taken = await older.take('older', 100);
    const worker = await beginAs('worker');
    expect(await worker.take(100)).toEqual([]);
    await query(`update phone_leases set expires_at = clock_timestamp() - interval '1 second' where phone_id = $1`, [
      taken[0],
    ]);
    expect(await worker.take(100)).toEqual(taken.slice(0, 1));
  });

  test('a heartbeat waits for no row that somebody has locked', async () => {
    await (await beginAs('worker')).take(2);
    await endLeaseOf('worker');
    const locker = await database.pool.connect();
    onTestFinished(async () => {
      await locker.query('rollback');
      locker.release();
    });
    await locker.query('begin');
    await locker.query('select from phone_leases order by phone_id limit 1 for update');
    await older.beat('older');
    expect(await older.take('older', 1)).toEqual([phones[1]]);
  });
});

test('a renewal takes no lease up again that has ended, and says so', async () => {
  const { epoch, take } = await beginAs('worker');
  await take(3);
  const renew = () => renewWorker(database, { owner: 'worker', epoch, held: 3, most: 10, isRetired: false });
  expect(await renew()).toMatchObject({ stands: true, phones: 3 });
  await endLeaseOf('worker');
  expect(await renew()).toMatchObject({ stands: false });
});
