import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { tryTurnOfConnection } from '#server/platform/db/shared-names.ts';

/** A killed process's connection may outlive it for a moment. */
const lockAttempts = 10;
const lockPauseMs = 100;

export type WorkerIdentity = {
  owner: string;
  /** Aborted once another process has taken the name, as this one's connection had ended. */
  taken: AbortSignal;
  release(): Promise<void>;
};

/**
 * The name under which this process holds leases. The name is kept in the data directory, so that a restart takes its
 * phones back at once; a lock in the database keeps two living processes on one directory from sharing it, and the
 * second gets a name for this run alone. A lock goes with its connection: where that ends, as the database starts anew,
 * it is taken again at once.
 */
export async function claimWorkerIdentity(input: {
  dataDir: string;
  /** Of PostgreSQL itself: the lock is the connection's. */
  connectionString: string;
}): Promise<WorkerIdentity> {
  const name = await readOrCreateName(join(input.dataDir, 'worker-id'));
  const taken = new AbortController();
  const released = new AbortController();
  let client: pg.Client;

  async function lock(attempts: number): Promise<boolean> {
    client = new pg.Client({ connectionString: input.connectionString });
    const mine = client;
    let isOurs = false;
    // What ends before it has the lock rejects below.
    client.on('error', () => undefined);
    client.on('end', () => void (isOurs && client === mine && lockAgain()));
    await client.connect();
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) await delay(lockPauseMs);
      isOurs = await tryTurnOfConnection(client, `worker:${name}`);
      if (isOurs) return true;
    }
    await client.end();
    return false;
  }

  async function lockAgain(): Promise<void> {
    while (!released.signal.aborted) {
      try {
        // The server may not have noticed yet that the connection of before is gone.
        if (!(await lock(lockAttempts * 2))) taken.abort();
        return;
      } catch {
        await delay(lockPauseMs);
      }
    }
  }

  const isOurs = await lock(lockAttempts);
  return {
    owner: isOurs ? name : randomUUID(),
    taken: taken.signal,
    async release() {
      released.abort();
      await client.end().catch(() => undefined);
    },
  };
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
