import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { diagnose } from '#server/admin/doctor.ts';
import type { Finding } from '#server/admin/finding.ts';
import { createS3Store } from '#server/connectors/storage/s3-store.ts';
import { createSecretBox } from '#server/platform/secrets.ts';
import { CloudApiStandIn } from './cloud-api/stand-in.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { createTestDatabase } from './support/database.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import { startS3StandIn } from './support/s3-stand-in.ts';

const byCheck = (findings: readonly Finding[]) => new Map(findings.map((found) => [found.check, found]));

/** The findings about an application and its own database. */
function examine(app: TestApplication, other: Partial<TestApplication['ctx']> = {}) {
  const { connectionString, ownerConnectionString } = app;
  const database = { connectionString, ownerConnectionString, role: undefined, stop: () => Promise.resolve() };
  return diagnose({ ...app.ctx, ...other }, database).then(byCheck);
}

test('a fault of the surroundings is named with its remedy', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const app = await startTestApplication({
    env: { ROLES: 'api', SMTP_URL: 'smtp://127.0.0.1:9', CLOUD_API_BASE_URL: nowhere, MIN_FREE_DISK_MIB: '999999999' },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  await signUp(app.url);
  const s3 = { endpoint: nowhere, bucket: 'files', region: 'eu-1', accessKeyId: 'a', secretAccessKey: 'b' };
  const config = { ...app.ctx.config, databaseUrl: app.connectionString, s3 };
  const found = await examine(app, { config, files: createS3Store(s3) });
  for (const check of ['database', 'primary', 'role', 'encoding', 'clock', 'migrations', 'pooler', 'secret key']) {
    expect(found.get(check)).toMatchObject({ check, state: 'ok' });
  }
  for (const check of ['mail', 'file storage', 'official API', 'disk']) {
    expect(found.get(check)).toMatchObject({ check, state: 'failed', remedy: expect.any(String) });
  }
  expect(found.get('mail')?.found).toContain('ECONNREFUSED');
});

test('a bucket is tried as it is used, and named with what is wrong with it', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const account = { bucket: 'files', region: 'eu-1', accessKeyId: 'OURS', secretAccessKey: 'our secret' };
  const bucket = await startS3StandIn(account);
  onTestFinished(bucket.stop);
  const storage = async (change: Partial<typeof account> = {}) => {
    const s3 = { ...account, endpoint: bucket.endpoint, ...change };
    const found = await examine(app, { config: { ...app.ctx.config, s3 }, files: createS3Store(s3) });
    return found.get('file storage');
  };
  expect(await storage()).toMatchObject({ state: 'ok', found: 'the bucket files' });
  expect(bucket.objects.size).toBe(0);
  expect((await storage({ bucket: 'other' }))?.found).toContain('404 (NoSuchBucket)');
  expect((await storage({ secretAccessKey: 'guessed' }))?.found).toContain('403 (SignatureDoesNotMatch)');
  bucket.denyListing();
  expect(await storage()).toMatchObject({ state: 'warning', remedy: 'Give the key s3:ListBucket on the bucket' });
});

test('without S3 the storage of files is DATA_DIR, and a remedy says so', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const config = { ...app.ctx.config, dataDir: '/dev/null' };
  const found = await examine(app, { config });
  expect(found.get('file storage')).toMatchObject({
    state: 'failed',
    remedy: "See that the service's user may write to /dev/null/media",
  });
});

test.skipIf(process.getuid?.() !== 0)("a doctor that root runs leaves directories to DATA_DIR's owner", async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { dataDir } = app.ctx.config;
  await rm(join(dataDir, 'media'), { recursive: true, force: true });
  await chown(dataDir, 12_345, 12_345);
  const found = await examine(app);
  expect(found.get('file storage')).toMatchObject({ state: 'ok' });
  for (const path of ['media', 'media/doctor']) expect(await stat(join(dataDir, path))).toMatchObject({ uid: 12_345 });
});

test("the operator's app at Meta is tried with its secret", async () => {
  const meta = await CloudApiStandIn.listen();
  onTestFinished(() => meta.close());
  const stateWith = async (settings: Record<string, string>) => {
    await using app = await startTestApplication({ env: { ROLES: 'api', ...settings } });
    return (await examine(app)).get('app at Meta');
  };
  expect(await stateWith(meta.settings)).toBeUndefined();
  expect(await stateWith(meta.operatorSettings)).toMatchObject({ state: 'ok' });
  const wrong = { ...meta.operatorSettings, CLOUD_API_APP_SECRET: 'not-the-secret' };
  expect(await stateWith(wrong)).toMatchObject({ state: 'failed', remedy: expect.stringContaining('APP_SECRET') });
  const nowhere = 'http://127.0.0.1:9';
  const away = await stateWith({ ...meta.operatorSettings, CLOUD_API_BASE_URL: nowhere });
  expect(away).toMatchObject({ state: 'failed', remedy: expect.stringContaining(nowhere) });
  expect(away?.remedy).not.toContain('APP_SECRET');
});

test('workers are counted with their room, and the phones that find none', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const workers = async () => (await examine(app)).get('workers');
  expect(await workers()).toMatchObject({ state: 'warning', found: 'none runs' });
  const seen = (owner: string, held: number) =>
    app.ctx.db
      .insertInto('phone_workers')
      .values({ owner, seen_at: new Date(Date.now() + 60 * 60_000), held, most: 2 })
      .execute();
  await seen('one', 2);
  expect(await workers()).toMatchObject({ state: 'warning', found: expect.stringContaining('; 0 phones wait') });
  const customer = await signUpSubscriber(app.url);
  await connectSandboxPhone(customer, (await makeProject(customer)).id).catch(() => undefined);
  await app.ctx.db.updateTable('phones').set({ wanted: 'online' }).execute();
  expect(await workers()).toMatchObject({ state: 'failed', found: expect.stringContaining('; 1 phones wait') });
  await seen('another', 1);
  expect(await workers()).toMatchObject({ state: 'ok', found: '2 hold 3 phones of 4 that they may' });
});

test('a database that is away is a finding, and so is another key', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  await signUp(app.url);
  const connectionString = 'postgresql://nobody@127.0.0.1:9/none';
  const database = {
    connectionString,
    ownerConnectionString: connectionString,
    role: undefined,
    stop: () => Promise.resolve(),
  };
  const secrets = createSecretBox(randomBytes(32));
  const found = byCheck(await diagnose({ ...app.ctx, secrets }, database));
  expect(found.get('database')).toMatchObject({ state: 'failed' });
  expect(found.get('secret key')).toMatchObject({ state: 'failed', remedy: expect.stringContaining('SECRET_KEY') });
});

const runTool = (file: string, env: Record<string, string>, ...given: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../server/entry', file), ...given], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(tmpdir(), 'dovepost-none'), ...env },
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

test('the doctor says all that it finds, and the other tools one line, where the database is away', async () => {
  const env = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    SECRET_KEY: randomBytes(32).toString('base64'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  };
  const [doctor, migrate, admin] = await Promise.all([
    runTool('doctor.ts', env, '--json'),
    runTool('migrate.ts', env),
    runTool('admin.ts', env, 'jobs', 'list'),
  ]);
  const found = byCheck(JSON.parse(doctor.stdout) as Finding[]);
  expect(doctor.code).toBe(1);
  expect(found.get('database')).toMatchObject({ state: 'failed', found: expect.stringContaining('ECONNREFUSED') });
  expect(found.get('secret key')?.remedy).toBe('Let the database answer first, then ask again');
  expect(found.get('traces')).toMatchObject({ state: 'failed', found: expect.stringContaining('ECONNREFUSED') });
  expect(found.get('disk')).toMatchObject({ state: 'ok' });
  for (const { code, stderr } of [migrate, admin]) {
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('npm run doctor says more')]]);
  }
});

test('with another SECRET_KEY a command changes nothing, as the mail about it could not be opened', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const { id } = await signUp(app.url);
  const env = { DATABASE_URL: app.ownerConnectionString, SECRET_KEY: randomBytes(32).toString('base64') };
  const { code, stderr } = await runTool('admin.ts', env, 'accounts', 'suspend', String(id), '--reason', 'Spam.');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^SECRET_KEY: expected the key that .*\n$/)]);
  const { rows } = await app.ctx.pool.query('select suspended_at from accounts where id = $1', [id]);
  expect(rows).toEqual([{ suspended_at: null }]);
});

test('a database that has not been migrated is a finding, and a sentence to the other tools', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(() => database.drop());
  const env = { DATABASE_URL: database.connectionString, SECRET_KEY: randomBytes(32).toString('base64') };
  const doctor = await runTool('doctor.ts', env, '--json');
  const found = byCheck(JSON.parse(doctor.stdout) as Finding[]);
  expect(found.get('migrations')).toMatchObject({ state: 'warning', found: 'none has run' });
  expect(found.get('database')).toMatchObject({ state: 'ok' });
  expect(found.get('secret key')).toMatchObject({ state: 'ok' });
  const { code, stderr } = await runTool('admin.ts', env, 'jobs', 'list');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The database is not of this version: npm run migrate.*\n$/),
  ]);
});
