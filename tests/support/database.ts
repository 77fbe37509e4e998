import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { createPool } from '#server/platform/db/pool.ts';
import type { Database } from '#server/database.ts';
import { createLogger } from '#server/platform/logger.ts';

export type TestDatabase = {
  /** The owner's. */
  connectionString: string;
  /** The application's, which owns nothing; for a migrated database. */
  applicationConnectionString: string;
  /** As the server has it: bigint as number, timestamptz as Date. */
  pool: pg.Pool;
  db: Kysely<Database>;
  /** Ends its connections, whoever holds them, and removes it. */
  drop(): Promise<void>;
};

/** An empty database of the newest schema, for one test or one file; `{ isMigrated: false }` for one without tables. */
export async function createTestDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(
    server.connectionString,
    `create database ${name} template ${isMigrated ? server.template : 'template0'} strategy file_copy`,
  );
  const url = new URL(server.connectionString);
  url.pathname = `/${name}`;
  const pool = createPool({ connectionString: url.href, logger: createLogger('silent') });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  let dropping: Promise<void> | undefined;
  async function drop() {
    await db.destroy();
    await administer(server.connectionString, `drop database ${name} with (force)`);
  }
  const application = new URL(url);
  application.username = server.application.name;
  application.password = server.application.password;
  return {
    connectionString: url.href,
    applicationConnectionString: application.href,
    pool,
    db,
    drop: () => (dropping ??= drop()),
  };
}

async function administer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
