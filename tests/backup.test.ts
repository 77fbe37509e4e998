import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { listMessages } from '#contracts/messages.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { isContracting, migrate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { restoreBackup } from '#server/platform/db/backup/restore-backup.ts';
import { writeBackup } from '#server/platform/db/backup/write-backup.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { create, makeScene, until } from './support/campaign-scene.ts';
import { createTestDatabase } from './support/database.ts';

async function newDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'dovepost-backup-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'backup');
}

async function emptyDatabase() {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  return database;
}

test('a backup that was made beside the running product is restored, and goes on where it was', async () => {
  const secretKey = randomBytes(32);
  await using app = await startTestApplication({ secretKey });
  const scene = await makeScene(app, 50);
  await until(scene, await create(scene), { status: 'completed' });
  const directory = await newDirectory();
  const manifest = await writeBackup(app.ownerConnectionString, directory);
  expect(manifest.tables.find(({ name }) => name === 'messages')?.rows).toBe(50);
  await expect(writeBackup(app.ownerConnectionString, directory)).rejects.toThrow('is there already');
  expect((await readdir(join(directory, '..'))).toSorted()).toEqual(['backup']);

  const { connectionString, db } = await emptyDatabase();
  await restoreBackup(connectionString, directory);
  expect(await prepareDatabase(connectionString)).toEqual([]);
  await expect(restoreBackup(connectionString, directory)).rejects.toThrow('The database is not empty');

  await using again = await startTestApplication({ connectionString, secretKey });
  const api = createApiClient(again.url, { authorization: scene.customer.token });
  expect((await api.call(getCurrentUser)).body.user).toMatchObject({ email: scene.customer.email });
  const project = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
  const query = { pageSize: 100 };
  const messages = async () => (await api.call(listMessages, { params: { projectId: project.id }, query })).body;
  expect((await messages()).data).toHaveLength(50);
  const { rows } = await again.ctx.pool.query('select count(*)::int as n from message_texts');
  expect(rows[0].n).toBe(50);
  expect(await db.selectFrom('phones').select('message_count').executeTakeFirst()).toEqual({ message_count: 50 });
  await expect.poll(async () => (await db.selectFrom('phone_leases').select('owner').execute()).length).toBe(1);
  const resumed = { ...scene, app: again, customer: { ...scene.customer, api } };
  await until(resumed, await create(resumed, { name: 'Autumn sale' }), { status: 'completed', sent_count: 50 });
  expect((await messages()).data).toHaveLength(100);
});

test('a backup of an earlier version is brought to the schema of this one', async () => {
  const names = Object.keys(migrations);
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0100'));
  const source = await emptyDatabase();
  await migrate(source.connectionString, { all: earlier });
  const directory = await newDirectory();
  await writeBackup(source.connectionString, directory);
  const target = await emptyDatabase();
  await restoreBackup(target.connectionString, directory);
  expect(await prepareDatabase(target.connectionString)).toEqual(
    names.filter((name) => name >= '0100' && !isContracting(name)),
  );
});

/** A backup of a new installation, and a database that it may go into. */
async function backedUp() {
  const source = await createTestDatabase();
  onTestFinished(source.drop);
  const directory = await newDirectory();
  const manifest = await writeBackup(source.connectionString, directory);
  return { directory, manifest, target: await emptyDatabase() };
}

test('a backup that is not whole, or of a newer version, is refused before anything is written', async () => {
  const { directory, manifest, target } = await backedUp();
  const changed = { ...manifest, migrations: [...manifest.migrations, '9999-later'] };
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(changed));
  await expect(restoreBackup(target.connectionString, directory)).rejects.toThrow(
    'newer version: it has run 9999-later',
  );
  await rm(join(directory, 'manifest.json'));
  await expect(restoreBackup(target.connectionString, directory)).rejects.toThrow('holds no whole backup');
  const { rows } = await target.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  expect(rows).toEqual([]);
});

test('a backup with a damaged file is refused before anything is written, and the file is named', async () => {
  const { directory, manifest, target } = await backedUp();
  const accounts = join(directory, 'accounts.copy.gz');
  const whole = await readFile(accounts);
  await truncate(accounts, whole.length - 1);
  await expect(restoreBackup(target.connectionString, directory)).rejects.toThrow('accounts.copy.gz cannot be read');
  await writeFile(accounts, whole);
  const tables = manifest.tables.map((table) => (table.name === 'accounts' ? { ...table, rows: 1 } : table));
  await writeFile(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, tables }));
  await expect(restoreBackup(target.connectionString, directory)).rejects.toThrow('accounts.copy.gz holds 0 of 1 rows');
  const { rows } = await target.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  expect(rows).toEqual([]);
});

test('a restore that breaks off says what the database holds', async () => {
  const { directory, manifest, target } = await backedUp();
  const tables = manifest.tables.map((table) => ({ ...table, columns: [...table.columns, 'unknown'] }));
  await writeFile(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, tables }));
  await expect(restoreBackup(target.connectionString, directory)).rejects.toThrow(
    /^The restore broke off: .*unknown.*make it anew before the next try/,
  );
});

test('a backup that cannot be written says where, why, and that nothing is left', async () => {
  const source = await emptyDatabase();
  const directory = await newDirectory();
  await writeFile(directory, '');
  await expect(writeBackup(source.connectionString, join(directory, 'backup'))).rejects.toThrow(
    /backup could not be written, and nothing of the backup is there: ENOTDIR/,
  );
});

test('a backup below a directory that takes none, as /proc, is refused at once', async () => {
  const source = await emptyDatabase();
  await expect(writeBackup(source.connectionString, '/proc/a/backup')).rejects.toThrow(
    '/proc/a/backup could not be written, and nothing of the backup is there: /proc takes no directory',
  );
});
