import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createSavedView } from '#contracts/saved-views.ts';
import { listProjects } from '#contracts/projects.ts';
import { sendMessage } from '#contracts/messages.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { restoreBackup } from '#server/platform/db/backup/restore-backup.ts';
import { writeBackup } from '#server/platform/db/backup/write-backup.ts';
import { inSchema, openSchema } from '#server/platform/db/schema.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { pgBouncer } from './support/spawn-pgbouncer.ts';

async function databaseOf(isMigrated: boolean): Promise<TestDatabase> {
  const database = await createTestDatabase({ isMigrated });
  onTestFinished(database.drop);
  return database;
}

/** A schema of a database with the product's tables, for the application's role. */
async function addSchema({ connectionString, applicationConnectionString }: TestDatabase, schema: string) {
  const role = { name: new URL(applicationConnectionString).username };
  return prepareDatabase(connectionString, { schema, role });
}

async function start(
  { applicationConnectionString }: TestDatabase,
  schema: string,
  options: { secretKey?: Buffer; roles?: string } = {},
): Promise<TestApplication> {
  const app = await startTestApplication({
    connectionString: applicationConnectionString,
    env: { DATABASE_SCHEMA: schema, ROLES: options.roles ?? 'api,worker' },
    ...(options.secretKey !== undefined && { secretKey: options.secretKey }),
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

/** Sends one message after the other by a sandbox phone of a new customer; answers how long each took. */
async function sendSome(url: string, count: number) {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000 });
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begunAt = performance.now();
    const response = await fetch(url + sendMessage.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: JSON.stringify({ to: String(14_155_551_000 + index), message: 'Hello' }),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 200 });
    times.push(performance.now() - begunAt);
  }
  return { customer, project, times };
}

const accountOf = (payload: string) => (JSON.parse(payload) as { account_id: number }).account_id;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function rowsOf<Row extends pg.QueryResultRow>({ pool }: TestDatabase, text: string): Promise<Row[]> {
  return (await pool.query<Row>(text)).rows;
}

test('two products in two schemas of one database work beside each other, and nothing crosses', async () => {
  const database = await databaseOf(true);
  await addSchema(database, 'cell_b');
  const heard: { channel: string; payload: string }[] = [];
  const ear = new pg.Client({ connectionString: database.connectionString });
  await ear.connect();
  onTestFinished(() => ear.end());
  ear.on('notification', ({ channel, payload = '' }) => void heard.push({ channel, payload }));
  for (const channel of ['dovepost_live', 'dovepost_outbox', 'dovepost_credentials'])
    await ear.query(`listen ${channel}; listen "cell_b.${channel}"`);
  const secretKey = randomBytes(32);
  const apiOfB = await start(database, 'cell_b', { secretKey, roles: 'api' });
  await start(database, 'cell_b', { secretKey, roles: 'worker' });

  // Two processes, so that a message waits for its notification: the outbox is polled every 4 s.
  const { customer, project, times } = await sendSome(apiOfB.url, 9);
  expect(median(times)).toBeLessThan(1_500);
  const channels = () => new Set(heard.map(({ channel }) => channel));
  expect(channels()).toEqual(
    new Set(['cell_b.dovepost_live', 'cell_b.dovepost_outbox', 'cell_b.dovepost_credentials']),
  );

  const appOfA = await start(database, 'public');
  const ofA = await sendSome(appOfA.url, 3);
  expect(channels()).toContain('dovepost_live');
  const accountsHeard = (channel: string) =>
    new Set(heard.filter((each) => each.channel === channel).map(({ payload }) => accountOf(payload)));
  expect(accountsHeard('dovepost_live')).toEqual(new Set([ofA.customer.id]));
  expect(accountsHeard('cell_b.dovepost_live')).toEqual(new Set([customer.id]));

  // Each has its own rows alone: jobs, workers, leases and messages.
  const counts = async (schema: string) =>
    (
      await rowsOf<{ accounts: number; sent: number; leases: number; workers: number }>(
        database,
        `select (select count(*)::int from ${schema}.accounts) as accounts,
                (select count(*)::int from ${schema}.messages where sent_at is not null) as sent,
                (select count(*)::int from ${schema}.phone_leases where expires_at > clock_timestamp()) as leases,
                (select count(*)::int from ${schema}.phone_workers) as workers`,
      )
    )[0];
  expect(await counts('public')).toEqual({ accounts: 1, sent: 3, leases: 1, workers: 1 });
  expect(await counts('cell_b')).toEqual({ accounts: 1, sent: 9, leases: 1, workers: 1 });
  expect((await ofA.customer.api.call(listProjects)).body.data.map(({ id }) => id)).toEqual([ofA.project.id]);
  expect((await customer.api.call(listProjects)).body.data.map(({ id }) => id)).toEqual([project.id]);
  const stranger = await fetch(`${appOfA.url}/api/projects`, { headers: { authorization: customer.token } });
  expect(stranger.status).toBe(401);

  // A lock that a process of one holds keeps no process of the other waiting.
  const holder = new pg.Client({ connectionString: database.connectionString });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  const seed = customer.id;
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('saved views', ${seed}))`);
  const view = { name: 'Mine', list: 'campaigns', search: '' } as const;
  expect((await customer.api.call(createSavedView, { body: view })).status).toBe(201);
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('cell_b.saved views', ${seed}))`);
  const waits = customer.api.call(createSavedView, { body: { ...view, name: 'Other' } });
  await expect
    .poll(() => rowsOf(database, `select from pg_locks where locktype = 'advisory' and not granted`))
    .toHaveLength(1);
  await holder.query('commit');
  expect((await waits).status).toBe(201);
});

test('schemas that are made at the same time in an empty database leave nothing but extensions in public', async () => {
  const database = await databaseOf(false);
  await Promise.all(['cell_a', 'cell_b'].map((schema) => prepareDatabase(database.connectionString, { schema })));
  expect(
    await rowsOf(
      database,
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relname not in ('cells', 'cells_pkey', 'cells_number_key',
                                                                           'cell_directory', 'cell_directory_pkey')
       union all
       select p.proname from pg_proc p left join pg_depend d on d.objid = p.oid and d.deptype = 'e'
        where p.pronamespace = 'public'::regnamespace and d.objid is null`,
    ),
  ).toEqual([]);
  expect(
    await rowsOf(
      database,
      `select proname as name from pg_proc
        where pronamespace = 'cell_a'::regnamespace
          and (proconfig::text like '%public%' or prosrc ~ 'public\\.|''public''::regnamespace')`,
    ),
  ).toEqual([]);
  const [sizes] = await rowsOf<{ a: number; b: number }>(
    database,
    `select count(*) filter (where relnamespace = 'cell_a'::regnamespace)::int as a,
            count(*) filter (where relnamespace = 'cell_b'::regnamespace)::int as b from pg_class`,
  );
  expect(sizes?.a).toBeGreaterThan(300);
  expect(sizes?.b).toBe(sizes?.a);
  // Started again, there is nothing left to do; beside a product in `public` as well.
  expect(await prepareDatabase(database.connectionString, { schema: 'cell_a' })).toEqual([]);
  expect((await prepareDatabase(database.connectionString)).length).toBeGreaterThan(50);
});

test('a backup of one schema is restored into another', async () => {
  const database = await databaseOf(true);
  await addSchema(database, 'cell_b');
  const app = await start(database, 'cell_b');
  await sendSome(app.url, 2);
  const directory = await mkdtemp(join(tmpdir(), 'dovepost-schema-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeBackup(inSchema(database.connectionString, 'cell_b'), join(directory, 'backup'));
  await restoreBackup(await openSchema(database.connectionString, 'cell_c'), join(directory, 'backup'));
  expect(await prepareDatabase(database.connectionString, { schema: 'cell_c' })).toEqual([]);
  expect(await rowsOf(database, 'select id, body from cell_c.messages order by id')).toEqual(
    await rowsOf(database, 'select id, body from cell_b.messages order by id'),
  );
  expect(await rowsOf(database, 'select from public.messages')).toEqual([]);
});

test.skipIf(pgBouncer === undefined)('behind a pooler that two products share each stays in its schema', async () => {
  const database = await databaseOf(true);
  await addSchema(database, 'cell_b');
  const pooled = await startPgBouncer(database.applicationConnectionString);
  const apps = await Promise.all(
    ['public', 'cell_b'].map(async (schema) => {
      const app = await startTestApplication({
        connectionString: pooled,
        directConnectionString: database.applicationConnectionString,
        env: { DATABASE_SCHEMA: schema },
      });
      onTestFinished(() => app[Symbol.asyncDispose]());
      return app;
    }),
  );
  await Promise.all(apps.map(({ url }, index) => sendSome(url, 3 + index)));
  const [sent] = await rowsOf(
    database,
    `select (select count(*)::int from public.messages) as of_a, (select count(*)::int from cell_b.messages) as of_b`,
  );
  expect(sent).toEqual({ of_a: 3, of_b: 4 });
});
