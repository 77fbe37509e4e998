import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareDatabase } from '#server/migrate-database.ts';
import { isContracting } from '#server/platform/db/migrate.ts';
import type { MigrateOptions } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { fill } from './fill.ts';
import { watchLocks } from './lock-times.ts';
import type { HeldLock } from './lock-times.ts';
import { earlierRelease, releaseBefore, unpackRelease } from './release.ts';
import type { Release } from './release.ts';
import { goRound, mayBeRefused, signUp, startTraffic } from './traffic.ts';
import type { Answer } from './traffic.ts';

/** `npm run upgrade` asks for a million. */
const rows = Number(process.env['UPGRADE_ROWS'] ?? 1_000);
const isLong = rows > 1_000;
const contracts = Object.keys(migrations).filter((name) => isContracting(name));
const longestLockMs = 1_000;
const timeout = isLong ? 60 * 60_000 : 240_000;

/** An empty database with an owner and a role for the application, and where its releases start. */
async function makeScene() {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  const name = new URL(database.connectionString).pathname.slice(1);
  const addressOf = async (role: string) => {
    await database.pool.query(`create role ${role} login password 'secret'`);
    const url = new URL(database.connectionString);
    [url.username, url.password] = [role, 'secret'];
    return url.href;
  };
  const suffix = randomUUID().slice(0, 8);
  const owner = await addressOf(`owner_${suffix}`);
  const application = { name: `application_${suffix}` };
  const applicationUrl = await addressOf(application.name);
  await database.pool.query(`alter database ${name} owner to owner_${suffix}`);
  const secretKey = randomBytes(32).toString('base64');
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-upgrade-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

  async function start(release: Release | 'today'): Promise<Product> {
    const unpacked = release === 'today' ? undefined : await unpackRelease(release);
    const split = { DATABASE_URL: applicationUrl, MIGRATION_DATABASE_URL: owner };
    const product = await startProduct({
      env: {
        ...(release === earlierRelease ? { DATABASE_URL: owner } : split),
        SECRET_KEY: secretKey,
        DATA_DIR: dataDir,
      },
      ...(unpacked && { root: unpacked.directory }),
    });
    onTestFinished(async () => {
      await product.kill().catch(() => undefined);
      await unpacked?.remove();
    });
    return product;
  }
  return {
    pool: database.pool,
    start,
    migrate: (options: MigrateOptions = {}) => prepareDatabase(owner, { ...options, role: application }),
    async count(table: string): Promise<number> {
      const { rows: counted } = await database.pool.query(`select count(*)::int as count from ${table}`);
      return counted[0].count;
    },
  };
}

const refusals = (answers: readonly Answer[]) =>
  answers.filter(({ call, status }) => status >= 300 && !mayBeRefused.test(call));
const faults = (answers: readonly Answer[]) => answers.filter(({ status }) => status >= 500);

/** Faults in the log of a process; a customer's endpoint that does not answer is none. */
const complaints = (product: Product) =>
  product.warnings().filter((line) => (JSON.parse(line) as { level: number }).level >= 50);

function expectShortLocks(locks: readonly HeldLock[]): void {
  if (!isLong) return;
  process.stdout.write(`${JSON.stringify(locks.slice(0, 10))}\n`);
  expect(locks.filter(({ ms }) => ms > longestLockMs)).toEqual([]);
}

test(
  'the data of an earlier release are taken over, and the account goes on',
  async () => {
    const scene = await makeScene();
    const before = await scene.start(earlierRelease);
    const account = await signUp(before.url);
    expect(await before.stop()).toBe(0);
    await fill(scene.pool, { accountId: account.id, projectId: account.projectId }, rows);

    await scene.migrate();

    const today = await scene.start('today');
    const answers = await goRound(today.url, account, 'after');
    expect(faults(answers)).toEqual([]);
    expect(await Promise.all(['profiles', 'messages'].map((table) => scene.count(table)))).toEqual([
      expect.toSatisfy((count) => count >= rows),
      expect.toSatisfy((count) => count > rows),
    ]);
    expect(complaints(today)).toEqual([]);
    expect(await today.stop()).toBe(0);
  },
  timeout,
);

test(
  'the release before serves while the database is migrated and beside today, without one fault, and one can go back to it until the upgrade is finished',
  async () => {
    const scene = await makeScene();
    const before = await scene.start(releaseBefore);
    const account = await signUp(before.url);
    await fill(scene.pool, { accountId: account.id, projectId: account.projectId }, rows);
    const first = await goRound(before.url, account, 'first');
    // A round that is mostly refused would show nothing.
    expect(refusals(first)).toEqual([]);

    const old = startTraffic(before.url, account, 'old');
    await expect.poll(() => old.rounds() > 0 || old.hasEnded(), { timeout }).toBe(true);
    const watch = await watchLocks(scene.pool);
    await scene.migrate();
    expectShortLocks(await watch.stop());
    const today = await scene.start('today');
    const young = startTraffic(today.url, account, 'young');
    // Also of an account that the release before makes now.
    await signUp(before.url);
    const { rows: founders } = await scene.pool.query(
      `select count(*) filter (where m.role = 'owner')::int as owners, count(*)::int as accounts
         from accounts a left join members m on m.account_id = a.id and m.user_id = a.id`,
    );
    expect(founders).toEqual([{ owners: 2, accounts: 2 }]);
    const roundsBefore = old.rounds();
    const isEnough = () => young.rounds() > 1 && old.rounds() > roundsBefore + 1;
    await expect.poll(() => isEnough() || old.hasEnded() || young.hasEnded(), { timeout }).toBe(true);
    expect(await old.end()).toEqual([]);
    expect(await young.end()).toEqual([]);
    expect(complaints(before)).toEqual([]);
    expect(complaints(today)).toEqual([]);
    expect(await before.stop()).toBe(0);
    expect(await today.stop()).toBe(0);

    const again = await scene.start(releaseBefore);
    expect(refusals(await goRound(again.url, account, 'again'))).toEqual([]);
    expect(complaints(again)).toEqual([]);
    await expect(scene.migrate({ finishes: true })).rejects.toThrow('is of the release before: stop it first');
    expect(await again.stop()).toBe(0);

    const late = await scene.start('today');
    const last = startTraffic(late.url, account, 'last');
    await expect.poll(() => last.rounds() > 0 || last.hasEnded(), { timeout }).toBe(true);
    const finish = await watchLocks(scene.pool);
    expect(await scene.migrate({ finishes: true })).toEqual(contracts);
    expectShortLocks(await finish.stop());
    const roundsThen = last.rounds();
    await expect.poll(() => last.rounds() > roundsThen + 1 || last.hasEnded(), { timeout }).toBe(true);
    expect(await last.end()).toEqual([]);
    expect(complaints(late)).toEqual([]);
    expect(await late.stop()).toBe(0);
  },
  timeout,
);
