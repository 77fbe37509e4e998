import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { createLogger } from '#server/platform/logger.ts';
import { loadSecretKey } from '#server/platform/secret-key.ts';
import { createSecretBox, hashToken } from '#server/platform/secrets.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { databaseProcesses, superuserConnection } from './support/embedded-processes.ts';
import { startProduct } from './support/product.ts';

/** A data directory as the first release leaves it: one role, five migrations, and the tables of a library of then. */
let dataDir: string;
let filesBefore: unknown[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dovepost-older-'));
  const database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  const first = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'));
  await migrate(database.connectionString, { all: first });
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const keyHash = hashToken('key');
  const secrets = createSecretBox(await loadSecretKey(dataDir));
  await client.query(
    `insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
     values ('Ada', 'ada@example.com', 'ada@example.com', 'x', $1, $2)`,
    [keyHash, secrets.seal('key', `account:${keyHash.toString('hex')}:api_key`)],
  );
  await client.query(`
    create schema pgboss; create table pgboss.version (version int); insert into pgboss.version values (24);
    insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, status, custom_fields,
                          created_at, updated_at)
    select id, phone, phone, phone, true, status, fields::jsonb, now(), now()
      from accounts, (values ('525512345678', 'active', '{}'), ('5215512345678', 'active', '{}'),
                             ('14155550123', 'active', '{"opted_out": "no"}'), ('14155550124', 'Unsubscribed', '{}'),
                             ('551187654321', 'active', '{"opted_out": true}')) as profile (phone, status, fields)`);
  filesBefore = (await client.query(filesOfTables)).rows;
  await client.end();
  await database.stop();
});

afterAll(async () => {
  for (const pid of await databaseProcesses(dataDir).catch(() => [])) process.kill(pid, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** A table that is rewritten gets another file. */
const filesOfTables = `select oid::regclass::text as name, relfilenode as file from pg_class
                        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^kysely'
                        order by 1`;

test('a data directory of the first release is taken over with all that is in it, no table is rewritten, and the application owns nothing', async () => {
  const product = await startProduct({ env: { DATA_DIR: dataDir } });
  const client = new pg.Client({ connectionString: await superuserConnection(dataDir) });
  await client.connect();
  try {
    const customer = await signUpSubscriber(product.url);
    const project = await makeProject(customer);
    await connectSandboxPhone(customer, project.id);
    const sent = await fetch(`${product.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
    });
    expect(await sent.json()).toMatchObject({ message: 'Hello' });
    expect(sent.status).toBe(200);

    const { rows: files } = await client.query(filesOfTables);
    expect(files).toEqual(expect.arrayContaining(filesBefore));
    const { rows: twins } = await client.query(`select phone from profiles where is_twin`);
    expect(twins).toEqual([{ phone: '5215512345678' }]);
    const { rows: optedOut } = await client.query(`select phone_key, phone from suppressions order by phone`);
    expect(optedOut).toEqual([
      { phone_key: '14155550124', phone: '14155550124' },
      { phone_key: '5511987654321', phone: '551187654321' },
    ]);
    const { rows: invalid } = await client.query('select indexrelid::regclass from pg_index where not indisvalid');
    expect(invalid).toEqual([]);
    const { rows: users } = await client.query<{ name: string; is_superuser: boolean; owned: number }>(
      `select distinct usename as name, rolsuper as is_superuser,
              (select count(*)::int from pg_class where relowner = a.usesysid) as owned
         from pg_stat_activity a join pg_roles r on r.oid = a.usesysid where application_name like 'dovepost%'`,
    );
    expect(users).toEqual([{ name: expect.any(String), is_superuser: false, owned: 0 }]);
  } finally {
    await client.end();
    expect(await product.stop()).toBe(0);
  }
});
