import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { makeDirectory } from '#server/platform/make-directory.ts';
import { holderOfTurn, tryTurnOfConnection } from '#server/platform/db/shared-names.ts';

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
  const name = `worker:${await readOrCreateName(join(input.dataDir, 'worker-id'))}`;
  const taken = new AbortController();
  const released = new AbortController();
  /** Of this process, those that have ended included: the server may not have noticed yet. */
  const backends = new Set<number>();
  let client: pg.Client;

  /** Answers whether the lock is ours, and else whether it is another process's. */
  async function lock(attempts: number): Promise<{ isOurs: boolean; isTaken: boolean }> {
    const own = new pg.Client({ connectionString: input.connectionString });
    client = own;
    let isOurs = false;
    own.on('error', () => undefined);
    own.on('end', () => void (isOurs && lockAgain()));
    await own.connect();
    backends.add(await backendOf(own));
    for (let attempt = 0; attempt < attempts && !isOurs; attempt += 1) {
      if (attempt > 0) await delay(lockPauseMs);
      isOurs = await tryTurnOfConnection(own, name);
    }
    if (isOurs) return { isOurs, isTaken: false };
    const holder = await holderOfTurn(own, name);
    await own.end();
    return { isOurs, isTaken: holder !== undefined && !backends.has(holder) };
  }

  async function lockAgain(): Promise<void> {
    while (!released.signal.aborted) {
      const { isOurs, isTaken } = await lock(1).catch(() => {
        client.end().catch(() => undefined);
        return { isOurs: false, isTaken: false };
      });
      if (isTaken) taken.abort();
      if (isOurs || isTaken) return;
      await delay(lockPauseMs);
    }
  }

  const { isOurs } = await lock(lockAttempts);
  return {
    owner: isOurs ? name.slice('worker:'.length) : randomUUID(),
    taken: taken.signal,
    async release() {
      released.abort();
      await client.end().catch(() => undefined);
    },
  };
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function readOrCreateName(path: string): Promise<string> {
  await makeDirectory(join(path, '..'));
  try {
    await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFile(path, 'utf8');
}
