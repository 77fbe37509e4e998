import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { buildIndexes } from './concurrent-indexes.ts';
import type { ConcurrentIndex } from './concurrent-indexes.ts';
import { isDatabaseBusy } from './errors.ts';
import { migrations } from './migrations/index.ts';
import { writtenFor } from './migration-schema.ts';
import { withServerLock } from './server-lock.ts';
import { defaultSchema } from './shared-names.ts';

type Migrations = Readonly<Record<string, Migration>>;

export type MigrateOptions = {
  all?: Migrations;
  /** Of the tables that `all` makes. */
  concurrentIndexes?: readonly ConcurrentIndex[];
  logger?: Logger;
  /** A migration that waits longer for a table lets those pass that wait behind it, and is tried again. */
  lockTimeoutMs?: number;
  /** Also takes away what the release before still uses: it starts on this database no more. */
  finishes?: boolean;
};

const attempts = 60;
const betweenAttemptsMs = 1_000;

/** Requests queue behind a migration that waits for a table, so it waits for less than they notice. */
const defaultLockTimeoutMs = 500;

/** Whether a migration takes away what the release before still uses, and waits until the upgrade is to be finished. */
export const isContracting = (name: string): boolean => /^\d{4}-contract-/.test(name);

/** Taken by every process that migrates or grants; earlier releases know it by the same name. */
export const migrationLock = 'dovepost migrations';

/**
 * Brings the database to the newest schema and answers the names of the migrations that it ran. Processes may call it
 * at the same time, and while others work. Each migration is a transaction of its own: one that fails leaves nothing of
 * itself, and those before it stay. The error names it and holds the database's own words. Indexes of large tables are
 * built afterwards, while others write.
 *
 * A migration that takes away what the release before uses says so in its name, and runs on a new database, or where the
 * upgrade is to be finished. A database that a newer version has migrated is taken as it is: with one of those the call
 * throws.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  const { all = migrations, concurrentIndexes = [], finishes = false } = options;
  const run = (chosen: (name: string, isNew: boolean) => boolean) =>
    withServerLock(connectionString, migrationLock, () => runMigrations(connectionString, { ...options, all, chosen }));
  const ran = await run((name, isNew) => isNew || !isContracting(name));
  await buildIndexes(connectionString, concurrentIndexes);
  // After the indexes: they take the places of those that go.
  return finishes ? [...ran, ...(await run(() => true))] : ran;
}

type Run = MigrateOptions & {
  all: Migrations;
  /** Whether a migration that has not run runs now; `isNew`: nothing has run before. */
  chosen: (name: string, isNew: boolean) => boolean;
};

async function runMigrations(
  connectionString: string,
  { all, chosen, logger, lockTimeoutMs = defaultLockTimeoutMs }: Run,
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString, max: 1 });
  // The query that broke rejects with it as well.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const schema = await findSchema(db);
    const done = await findDone(db, schema);
    warnOfNewer(done, all, logger);
    const missing = Object.keys(all)
      .filter((name) => !done.has(name) && chosen(name, done.size === 0))
      .toSorted();
    for (const name of missing) {
      const { up } = all[name]!;
      await retryWhileBusy(() => runMigration(db, { name, up, lockTimeoutMs, schema }), { name, logger });
    }
    return missing;
  } finally {
    await db.destroy();
  }
}

async function findSchema(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return rows[0]?.schema ?? defaultSchema;
}

/** The names of what has run here. The tables that hold them are those of Kysely's migrator, which made them first. */
async function findDone(db: Kysely<unknown>, schema: string): Promise<Set<string>> {
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (select from pg_class where relname = 'kysely_migration' and relnamespace = current_schema()::regnamespace)
           as is_there
  `.execute(db);
  if (!rows[0]?.is_there) {
    const none = { getMigrations: () => Promise.resolve({}) };
    const { error } = await new Migrator({ db, provider: none, migrationTableSchema: schema }).migrateToLatest();
    if (error) throw error;
  }
  const ran = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(ran.rows.map(({ name }) => name));
}

/** Throws when a newer version has taken something away. */
function warnOfNewer(done: ReadonlySet<string>, all: Migrations, logger: Logger | undefined): void {
  const newest = Object.keys(all).toSorted().at(-1) ?? '';
  const newer = [...done].filter((name) => name > newest).toSorted();
  const taking = newer.find((name) => isContracting(name));
  if (taking !== undefined) {
    throw new Error(`The database was migrated by a version that is too new for this one (${taking})`);
  }
  if (newer.length > 0) logger?.warn({ newer }, 'a newer version has migrated this database');
}

type Step = { name: string; up: Migration['up']; lockTimeoutMs: number; schema: string };

/** The bounds are those of this transaction, whatever the role has that it runs as. */
function runMigration(db: Kysely<unknown>, { name, up, lockTimeoutMs, schema }: Step): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
                     set_config('statement_timeout', '0', true),
                     set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
    await up(tx.withPlugin(writtenFor(schema)));
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx);
  });
}

async function retryWhileBusy(
  run: () => Promise<void>,
  { name, logger }: { name: string; logger: Logger | undefined },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isDatabaseBusy(error)) {
        const words = error instanceof Error ? error.message : String(error);
        throw new Error(`The database could not be migrated (${name}): ${words}`, { cause: error });
      }
      logger?.warn({ err: error, attempt, name }, 'a migration waited too long for a table, and is tried again');
      await delay(betweenAttemptsMs * (0.5 + Math.random()));
    }
  }
}
