import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createLogger } from '#server/platform/logger.ts';

export const ownerScript = fileURLToPath(new URL('embedded-owner.ts', import.meta.url));

/** A process that runs `embedded-owner.ts`, and what it answered. */
export type Owner = { process: ChildProcess; answer: { connectionString?: string; error?: string } };

export type EmbeddedScratch = {
  /** Only its owner may enter it: with root this is the case of a checkout below root's home. */
  directory: string;
  /** In it, not made yet, with a name that a shell would take apart. */
  dataDir: string;
  start(options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
  startOwner(options?: { uid?: number; gid?: number; dataDir?: string }): Promise<Owner>;
  postmasterPid(dataDir?: string): Promise<number>;
};

/** A directory of its own for each test, with nothing left running in it afterwards. */
export function setUpEmbeddedScratch(): EmbeddedScratch {
  const stops: (() => Promise<void>)[] = [];
  const scratch: EmbeddedScratch = {
    directory: '',
    dataDir: '',
    async start(options = {}) {
      const { dataDir } = scratch;
      const database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent'), ...options });
      stops.push(() => database.stop());
      return database;
    },
    async startOwner({ dataDir = scratch.dataDir, ...ids } = {}) {
      const child = spawn(process.execPath, [ownerScript, dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: '/',
        ...ids,
      });
      const exited = once(child, 'exit');
      stops.push(async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await exited;
      });
      const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
      return { process: child, answer: JSON.parse(String(line)) };
    },
    async postmasterPid(dataDir = scratch.dataDir) {
      return Number.parseInt(await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
    },
  };
  beforeEach(async () => {
    scratch.directory = await mkdtemp(join(tmpdir(), 'dovepost-embedded-'));
    scratch.dataDir = join(scratch.directory, `dätä dir "q" 's' $HOME`);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
    const orphan = await scratch.postmasterPid().catch(() => undefined);
    if (orphan !== undefined) process.kill(orphan, 'SIGQUIT');
    await rm(scratch.directory, { recursive: true, maxRetries: 20, retryDelay: 50 });
  });
  return scratch;
}

export async function killOwner(owner: Owner, signal: NodeJS.Signals): Promise<void> {
  const exited = once(owner.process, 'exit');
  owner.process.kill(signal);
  await exited;
}

/** All values of all rows, one after the other. */
export async function queryValues(connectionString: string | undefined, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

/** A process that ended counts as gone before its parent, or whoever adopted it, collects it. */
export function isProcessAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
