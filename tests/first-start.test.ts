import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { pgBouncer } from './support/spawn-pgbouncer.ts';
import { startProduct } from './support/product.ts';

/** An empty database with an owner and an application's role of its own, as an operator makes them. */
async function makeEmptyDatabase() {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  const suffix = randomUUID().slice(0, 8);
  const addressOf = async (name: string) => {
    await database.pool.query(`create role ${name} login password 'secret'`);
    const url = new URL(database.connectionString);
    url.username = name;
    url.password = 'secret';
    return url.href;
  };
  const names = { owner: `owner_${suffix}`, application: `application_${suffix}` };
  const owner = await addressOf(names.owner);
  const application = await addressOf(names.application);
  const name = new URL(database.connectionString).pathname.slice(1);
  await database.pool.query(`alter database ${name} owner to ${names.owner}`);
  return { owner, application };
}

async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'dovepost-first-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return directory;
}

async function sendOne(url: string): Promise<number> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const sent = await fetch(`${url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
  });
  return sent.status;
}

const secretKey = randomBytes(32).toString('base64');

test('four processes start at once on an empty database, and each serves', async () => {
  const { owner, application } = await makeEmptyDatabase();
  const DATA_DIR = await dataDirectory();
  const env = { DATA_DIR, DATABASE_URL: application, MIGRATION_DATABASE_URL: owner, SECRET_KEY: secretKey };
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startProduct({ env })));
  const products = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    expect(products).toHaveLength(4);
    expect(await Promise.all(products.map(({ url }) => sendOne(url)))).toEqual([200, 200, 200, 200]);
  } finally {
    expect(await Promise.all(products.map((product) => product.stop()))).toEqual(products.map(() => 0));
  }
});

test.skipIf(pgBouncer === undefined)(
  'through PgBouncer as documented the product starts and sends (skipped where PgBouncer is not installed)',
  async () => {
    const { owner, application } = await makeEmptyDatabase();
    const product = await startProduct({
      env: {
        DATA_DIR: await dataDirectory(),
        DATABASE_URL: await startPgBouncer(application),
        DATABASE_DIRECT_URL: application,
        MIGRATION_DATABASE_URL: owner,
        SECRET_KEY: secretKey,
      },
    });
    try {
      expect(await sendOne(product.url)).toBe(200);
      expect(product.warnings()).toEqual([]);
    } finally {
      expect(await product.stop()).toBe(0);
    }
  },
);
