import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startRelay } from '#tests/support/relay.ts';
import { claimWorkerIdentity } from './worker-identity.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function makeDataDir() {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-identity-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return async (connectionString = database.connectionString) => {
    const identity = await claimWorkerIdentity({ dataDir, connectionString });
    onTestFinished(identity.release);
    return identity;
  };
}

const holders = async () =>
  (
    await database.pool.query(`select pid from pg_locks where locktype = 'advisory' and granted
     and database = (select oid from pg_database where datname = current_database())`)
  ).rows.map(({ pid }) => pid);

test('a name is kept over restarts, and a second process on the directory gets another', async () => {
  const claim = await makeDataDir();
  const first = await claim();
  const second = await claim();
  expect(second.owner).not.toBe(first.owner);
  await first.release();
  expect((await claim()).owner).toBe(first.owner);
});

test('a name whose connection ended, as the database started anew, is still nobody else’s', async () => {
  const claim = await makeDataDir();
  const first = await claim();
  const [pid] = await holders();
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await expect.poll(async () => (await holders()).filter((holder) => holder !== pid)).toHaveLength(1);
  expect((await claim()).owner).not.toBe(first.owner);
  expect(first.taken.aborted).toBe(false);
});

test('a process that could not keep its name is told once another has taken it', async () => {
  const claim = await makeDataDir();
  const relay = await startRelay(database.connectionString);
  const first = await claim(relay.connectionString);
  relay.goAway();
  await expect.poll(holders).toEqual([]);
  expect((await claim()).owner).toBe(first.owner);
  expect(first.taken.aborted).toBe(false);
  relay.recover();
  await expect.poll(() => first.taken.aborted).toBe(true);
});
