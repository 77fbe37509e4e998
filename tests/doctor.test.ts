import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { diagnose } from '#server/admin/doctor.ts';
import type { Finding } from '#server/admin/doctor.ts';
import { createS3Store } from '#server/connectors/storage/s3-store.ts';
import { createSecretBox } from '#server/platform/secrets.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';

const byCheck = (findings: readonly Finding[]) => new Map(findings.map((found) => [found.check, found]));

test('a fault of the surroundings is named with its remedy', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const app = await startTestApplication({
    env: { ROLES: 'api', SMTP_URL: 'smtp://127.0.0.1:9', CLOUD_API_BASE_URL: nowhere, MIN_FREE_DISK_MIB: '999999999' },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  await signUp(app.url);
  const s3 = { endpoint: nowhere, bucket: 'files', region: 'eu-1', accessKeyId: 'a', secretAccessKey: 'b' };
  const { ownerConnectionString, connectionString } = app;
  const database = { connectionString, ownerConnectionString, role: undefined, stop: () => Promise.resolve() };
  const config = { ...app.ctx.config, databaseUrl: connectionString, s3 };
  const found = byCheck(await diagnose({ ...app.ctx, config, files: createS3Store(s3) }, database));
  for (const check of ['database', 'primary', 'role', 'encoding', 'clock', 'migrations', 'pooler', 'secret key']) {
    expect(found.get(check)).toMatchObject({ check, state: 'ok' });
  }
  for (const check of ['mail', 'file storage', 'official API', 'disk']) {
    expect(found.get(check)).toMatchObject({ check, state: 'failed', remedy: expect.any(String) });
  }
  expect(found.get('mail')?.found).toContain('ECONNREFUSED');
});

test('workers are counted with their room, and the phones that find none', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { ownerConnectionString, connectionString } = app;
  const database = { connectionString, ownerConnectionString, role: undefined, stop: () => Promise.resolve() };
  const workers = async () => byCheck(await diagnose(app.ctx, database)).get('workers');
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
