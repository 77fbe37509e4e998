import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { prepareDatabase } from '#server/migrate-database.ts';
import { layPhoneWatch, watchPhones } from '#tests/chaos/storm/watch-phones.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { startProduct } from '#tests/support/product.ts';
import { releaseBefore, unpackRelease } from './release.ts';
import { call, signUp } from './traffic.ts';

/** The lease of a worker, the poll of another, and what a busy machine adds. */
const takenWithinMs = 25_000;
const phoneCount = 6;

async function makeScene() {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  const older = await unpackRelease(releaseBefore);
  onTestFinished(older.remove);
  const secretKey = randomBytes(32).toString('base64');
  const env = { DATABASE_URL: database.connectionString, SECRET_KEY: secretKey };
  const makeDirectory = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-between-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    return dataDir;
  };
  async function start(release: 'older' | 'today', dataDir: string) {
    const root = release === 'older' ? { root: older.directory } : {};
    const product = await startProduct({ env: { ...env, DATA_DIR: dataDir }, ...root, hasShortLeases: true });
    onTestFinished(() => product.kill().catch(() => undefined));
    return product;
  }
  type Running = Awaited<ReturnType<typeof start>>;
  /** Phones that each of these holds, in its own words; -1 where they are not those that the database has. */
  const spread = async (...running: Running[]): Promise<number[]> => {
    const { rows } = await database.pool.query<{ phones: number }>(
      'select count(*)::int as phones from phone_leases group by owner order by 1',
    );
    const held = await Promise.all(
      running.map(async ({ url }) => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return Number(/^dovepost_phones_held (\d+)/m.exec(text)?.[1]);
      }),
    );
    const isSame = JSON.stringify(held.toSorted((a, b) => a - b)) === JSON.stringify(rows.map(({ phones }) => phones));
    return isSame ? held : [-1];
  };
  return {
    pool: database.pool,
    start,
    makeDirectory,
    migrate: () => prepareDatabase(database.connectionString),
    spread,
    async expectSoon(running: Running[], phones: number[]): Promise<void> {
      const startedAt = performance.now();
      await expect.poll(() => spread(...running)).toEqual(phones);
      expect(performance.now() - startedAt).toBeLessThan(takenWithinMs);
    },
  };
}

test('processes of the release before and of today take phones from each other in either order, none while it is held', async () => {
  const scene = await makeScene();
  const [one, two, three] = [await scene.makeDirectory(), await scene.makeDirectory(), await scene.makeDirectory()];
  let older = await scene.start('older', one);
  const account = await signUp(older.url);
  const headers = { authorization: account.token };
  for (let made = 1; made < phoneCount; made += 1) {
    const body = { phone_number: String(14_155_550_100 + made), connector: 'sandbox', max_daily_messages: 1_000_000 };
    const { text } = await call(older.url, `/api/projects/${account.projectId}/phone-numbers`, { body, headers });
    await call(older.url, `/api/phone-numbers/${JSON.parse(text).id}/connect`, { headers });
  }
  await expect.poll(() => scene.spread(older)).toEqual([phoneCount]);
  await scene.migrate();
  await layPhoneWatch((text) => scene.pool.query(text));
  const watch = watchPhones({
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await scene.pool.query<Row>(text, values)).rows,
  });
  const expectSends = async (url: string) => {
    for (let sent = 0; sent < phoneCount; sent += 1) {
      const body = { to: String(14_155_551_100 + sent), message: 'Hello' };
      const { status, text } = await call(url, '/api/send-message', {
        body,
        headers: { 'x-auth-key': account.authKey },
      });
      expect([200, 202], text).toContain(status);
    }
    const waiting = async () =>
      (await scene.pool.query(`select from messages where status in ('pending', 'sending')`)).rowCount;
    await expect.poll(waiting).toBe(0);
  };

  // Beside each other they share the phones, and each has those of the other that is killed.
  let today = await scene.start('today', two);
  await expect.poll(() => scene.spread(older, today)).toEqual([3, 3]);
  await expectSends(older.url);
  await today.kill();
  await scene.expectSoon([older], [phoneCount]);
  await expectSends(older.url);
  today = await scene.start('today', two);
  await expect.poll(() => scene.spread(older, today)).toEqual([3, 3]);
  await older.kill();
  await scene.expectSoon([today], [phoneCount]);
  await expectSends(today.url);

  // Back, after the last process of today was killed: on another machine, and in its own place.
  await today.kill();
  older = await scene.start('older', three);
  await scene.expectSoon([older], [phoneCount]);
  today = await scene.start('today', two);
  await expect.poll(() => scene.spread(older, today)).toEqual([3, 3]);
  expect(await older.stop()).toBe(0);
  await scene.expectSoon([today], [phoneCount]);
  await today.kill();
  older = await scene.start('older', two);
  await scene.expectSoon([older], [phoneCount]);
  await expectSends(older.url);
  expect(await watch.faults()).toEqual([]);
}, 400_000);
