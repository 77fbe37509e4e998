import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';
import { startRelay } from './support/relay.ts';

test('a process whose services fail is unready by their names, and SIGTERM ends it with 0', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-failing-'));
  const product = await startProduct({
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: database.connectionString,
      SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'info',
    },
  });
  try {
    const customer = await signUpSubscriber(product.url);
    await connectSandboxPhone(customer, (await makeProject(customer)).id);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    await database.pool.query('alter table phone_leases rename to gone');
    const readiness = async () => (await fetch(`${product.url}/readyz`)).json();
    await expect
      .poll(readiness)
      .toMatchObject({ status: 'not ready', failing: expect.arrayContaining(['phones.adopting']) });
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    const stoppedAt = performance.now();
    expect(await product.stop()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(15_000);
  } finally {
    await product.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('while the database says nothing, whoever asks whether the process is ready is answered within seconds, however many ask', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const relay = await startRelay(database.applicationConnectionString);
  const app = await startTestApplication({ connectionString: relay.connectionString, env: { ROLES: 'api' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const ask = async () => {
    const response = await fetch(`${app.url}/readyz`, { signal: AbortSignal.timeout(8_000) });
    return [response.status, await response.json()];
  };
  expect(await ask()).toEqual([200, { status: 'ready' }]);
  relay.fallSilent();
  const unready = [503, { status: 'not ready', failing: ['database'] }];
  expect(await Promise.all(Array.from({ length: 30 }, ask))).toEqual(Array.from({ length: 30 }, () => unready));
  expect(app.ctx.pool.totalCount - app.ctx.pool.idleCount).toBeLessThanOrEqual(2);
  relay.cut();
  relay.recover();
  await expect.poll(ask).toEqual([200, { status: 'ready' }]);
});
