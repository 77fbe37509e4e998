import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { superuser } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Any number will do, as nothing else takes locks in the database `postgres`. */
const lockKey = 4_021_968;

/** How long a killed server's connection may take to be noticed as closed. */
const lockPatienceMs = 2000;

export function connectionString(cluster: Cluster, port: number, database: string): string {
  return `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/**
 * A connection to the database `postgres` of the postmaster on `port`. Throws `EmbeddedPostgresError` when what
 * answers there is not this cluster's; other errors mean that it does not answer, or not yet.
 */
export async function connect(cluster: Cluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: connectionString(cluster, port, 'postgres'),
    application_name: `process ${process.pid}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // Seen through `end` as well; unheard, it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await checkIdentity(cluster, client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    // 28P01: the password is another cluster's.
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new EmbeddedPostgresError(`DATA_DIR: the password in ${cluster.home} does not open the database beside it`);
  }
}

/** A copied directory names the postmaster of the original; only one that reads a file just written is its own. */
async function checkIdentity(cluster: Cluster, client: pg.Client): Promise<void> {
  const name = `identity-${randomUUID()}`;
  const path = join(cluster.directory, name);
  await writeFile(path, '', { flag: 'wx' });
  try {
    const { rows } = await client.query('select size is not null as is_there from pg_stat_file($1, true)', [name]);
    if (rows[0]?.is_there !== true) {
      throw new EmbeddedPostgresError(
        `DATA_DIR: ${cluster.directory} is a copy of a database that runs elsewhere: delete its postmaster.pid`,
      );
    }
  } finally {
    await rm(path);
  }
}

/**
 * The lock lives as long as the connection, so it outlives no process, however that ends.
 * Throws `DataDirInUseError` while another server holds it.
 */
export async function takeOwnership(cluster: Cluster, client: pg.Client): Promise<void> {
  const giveUpAt = performance.now() + lockPatienceMs;
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_taken', [lockKey]);
    if (rows[0]?.is_taken === true) return;
    if (performance.now() > giveUpAt) throw new DataDirInUseError(cluster.dataDir, await findOwner(client));
    await delay(50);
  }
}

async function findOwner(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [lockKey],
  );
  return rows[0]?.application_name ?? 'its process is unknown';
}
