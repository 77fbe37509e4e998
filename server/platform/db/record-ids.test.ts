import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function take(client: Client, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>(
    'select next_record_id() as id from generate_series(1, $1::int)',
    [count],
  );
  return rows.map(({ id }) => Number(id));
}

const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

/** How far the next id is from now. */
async function aheadMs(client: Client): Promise<number> {
  const { rows } = await client.query<{ ahead: string }>(
    'select (next_record_id() - record_id_at(clock_timestamp())) / 4096 as ahead',
  );
  return Number(rows[0]?.ahead);
}

test('ids grow in the order in which one statement gives them', async () => {
  const ids = await take(await connect(), 20_000);
  expect(ids).toEqual(inOrder(ids));
});

test('ids that several connections take at once are different, and each is greater than all that were given before', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  const given: number[] = [];
  let greatest = 0;
  const takeSome = async (client: Client, index: number) => {
    for (let time = 0; time < 200; time += 1) {
      const known = greatest;
      const ids = await take(client, 1 + ((index + time) % 30));
      expect(ids).toEqual(inOrder(ids));
      expect(ids[0]).toBeGreaterThan(known);
      given.push(...ids);
      greatest = Math.max(greatest, ...ids);
    }
  };
  await Promise.all(clients.map(takeSome));
  expect(new Set(given).size).toBe(given.length);
});

test('an id tells its time, also after a clock that was wrong', async () => {
  const client = await connect();
  await client.query("select setval('record_clock', 1)");
  expect(Math.abs(await aheadMs(client))).toBeLessThan(1_000);
  await client.query("select setval('record_clock', record_id_at(clock_timestamp() + interval '2 days'))");
  expect(Math.abs(await aheadMs(client))).toBeLessThan(1_000);
});

test('a clock that was set back by an hour gives no id twice', async () => {
  const client = await connect();
  const hourMs = 3_600_000;
  await client.query("select setval('record_clock', record_id_at(clock_timestamp() + interval '1 hour'))");
  expect(await aheadMs(client)).toBeGreaterThan(hourMs - 60_000);
  await client.query("select setval('record_clock', 1)");
});

test('an id that is waited for in vain leaves nobody else waiting', async () => {
  const [holder, waiting, other] = [await connect(), await connect(), await connect()];
  const lock = "hashtextextended('record clock', 'record_clock'::regclass::oid::bigint)";
  await holder.query(`select pg_advisory_lock(${lock})`);
  await waiting.query("select setval('record_clock', 1)");
  await waiting.query("set statement_timeout = '100ms'");
  await expect(take(waiting, 1)).rejects.toMatchObject({ code: '57014' });
  await holder.query(`select pg_advisory_unlock(${lock})`);
  expect(await take(other, 1)).toHaveLength(1);
  const { rows } = await other.query(
    `select l.pid from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory'`,
  );
  expect(rows).toEqual([]);
});
