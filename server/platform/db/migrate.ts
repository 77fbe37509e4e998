import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { buildIndexes } from './concurrent-indexes.ts';
import type { ConcurrentIndex } from './concurrent-indexes.ts';
import { isDatabaseBusy } from './errors.ts';
import { migrations } from './migrations/index.ts';

type Migrations = Readonly<Record<string, Migration>>;

export type MigrateOptions = {
  all?: Migrations;
  /** Of the tables that `all` makes. */
  concurrentIndexes?: readonly ConcurrentIndex[];
  logger?: Logger;
  /** A migration that waits longer for a table lets those pass that wait behind it, and is tried again. */
  lockTimeoutMs?: number;
};

const attempts = 20;
const betweenAttemptsMs = 1_000;

/** A migration of a later release whose name says this takes away what the release before it still uses. */
const contracting = /^\d{4}-contract-/;

/**
 * Brings the database to the newest schema and answers the names of the migrations that it ran. Processes may call it
 * at the same time, and while others work. Throws what a migration threw, with nothing of this call left behind. Indexes
 * of large tables are built afterwards, while others write.
 *
 * A database that a newer version has migrated is taken as it is, since migrations add, and what takes away says so in
 * its name and comes a release later: with one of those the call throws.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  const { all = migrations, concurrentIndexes = [] } = options;
  const ran = await runMigrations(connectionString, { ...options, all });
  await buildIndexes(connectionString, concurrentIndexes);
  return ran;
}

async function runMigrations(
  connectionString: string,
  options: MigrateOptions & { all: Migrations },
): Promise<string[]> {
  const { all, logger, lockTimeoutMs = 3_000 } = options;
  const pool = new pg.Pool({ connectionString, max: 2 });
  // The query that broke rejects with it as well.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await migrateOnce(db, bounded(all, lockTimeoutMs), logger);
      } catch (error) {
        if (attempt === attempts || !isDatabaseBusy(error instanceof Error ? error.cause : error)) throw error;
        logger?.warn({ err: error, attempt }, 'a migration waited too long for a table, and is tried again');
        await delay(betweenAttemptsMs * (0.5 + Math.random()));
      }
    }
  } finally {
    await db.destroy();
  }
}

/** All run in one transaction, whose bounds are not those of the role that it runs as. */
function bounded(all: Migrations, lockTimeoutMs: number): Migrations {
  const bound = ({ up }: Migration): Migration => ({
    up: async (db) => {
      await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
                       set_config('statement_timeout', '0', true),
                       set_config('idle_in_transaction_session_timeout', '0', true)`.execute(db);
      await up(db);
    },
  });
  return Object.fromEntries(Object.entries(all).map(([name, migration]) => [name, bound(migration)]));
}

function migrateOnce(db: Kysely<unknown>, all: Migrations, logger: Logger | undefined): Promise<string[]> {
  // Kysely's own lock comes after it has made its tables, at which two first starts collide.
  return db.transaction().execute(async (lock) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
    await sql`set local statement_timeout = 0`.execute(lock);
    await sql`select pg_advisory_xact_lock(hashtextextended('dovepost migrations', 0))`.execute(lock);
    const newer = await findNewer(lock, all);
    if (newer.length > 0) logger?.warn({ newer }, 'a newer version has migrated this database');
    return run(db, { ...all, ...Object.fromEntries(newer.map((name) => [name, { up: () => Promise.resolve() }])) });
  });
}

/** What has run here and comes after all that this version knows. Throws when that has taken something away. */
async function findNewer(db: Kysely<unknown>, all: Migrations): Promise<string[]> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there
  `.execute(db);
  if (!rows[0]?.is_there) return [];
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const newest = Object.keys(all).toSorted().at(-1) ?? '';
  const newer = ran.rows.map(({ name }) => name).filter((name) => name > newest);
  const taking = newer.find((name) => contracting.test(name));
  if (taking !== undefined) {
    throw new Error(`The database was migrated by a version that is too new for this one (${taking})`);
  }
  return newer;
}

async function run(db: Kysely<unknown>, all: Migrations): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...all }) },
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find(({ status }) => status === 'Error');
    throw new Error(`The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}`, {
      cause: error,
    });
  }
  return results.map(({ migrationName }) => migrationName);
}
