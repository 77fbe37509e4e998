import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations/index.ts';

/**
 * Brings the database to the newest schema and answers the names of the migrations that it ran. Processes may call it
 * at the same time. Throws what a migration threw, with nothing of this call left behind, and when the database has
 * migrations that this version does not know.
 */
export async function migrate(
  connectionString: string,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString, max: 2 });
  // Whoever waits for the query that broke hears of it there.
  pool.on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    // Kysely's own lock comes after it has made its tables, at which two first starts collide.
    return await db.transaction().execute(async (lock) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
      await sql`select pg_advisory_xact_lock(hashtextextended('dovepost migrations', 0))`.execute(lock);
      return run(db, all);
    });
  } finally {
    await db.destroy();
  }
}

async function run(db: Kysely<unknown>, all: Readonly<Record<string, Migration>>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...all }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find(({ status }) => status === 'Error');
    throw new Error(`The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}`, {
      cause: error,
    });
  }
  return results.map(({ migrationName }) => migrationName);
}
