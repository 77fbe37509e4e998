import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';

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
      .poll(readiness, { timeout: 40_000 })
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
}, 90_000);
