import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { tryTurnOfConnection } from '#server/platform/db/shared-names.ts';

/** A killed process's connection may outlive it for a moment. */
const lockAttempts = 10;
const lockPauseMs = 100;

export type WorkerIdentity = { owner: string; release(): Promise<void> };

/**
 * The name under which this process holds leases. The name is kept in the data directory, so that a restart takes its
 * phones back at once; a lock in the database keeps two living processes on one directory from sharing it, and the
 * second gets a name for this run alone.
 */
export async function claimWorkerIdentity(input: {
  dataDir: string;
  /** Of PostgreSQL itself: the lock is the connection's. */
  connectionString: string;
}): Promise<WorkerIdentity> {
  const name = await readOrCreateName(join(input.dataDir, 'worker-id'));
  const client = new pg.Client({ connectionString: input.connectionString });
  // The lock goes with the connection; leases then end with their time, as for any other worker.
  client.on('error', () => undefined);
  await client.connect();
  for (let attempt = 0; attempt < lockAttempts; attempt += 1) {
    if (await tryTurnOfConnection(client, `worker:${name}`)) return { owner: name, release: () => client.end() };
    await delay(lockPauseMs);
  }
  await client.end();
  return { owner: randomUUID(), release: () => Promise.resolve() };
}

async function readOrCreateName(path: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  try {
    await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFile(path, 'utf8');
}
