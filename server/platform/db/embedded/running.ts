import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { connect, takeOwnership } from './owner.ts';
import { clusterName, findFreePort, findPostmaster, spawnPostmaster } from './postmaster.ts';
import type { Settings } from './postmaster.ts';
import type { ServiceUser } from './service-user.ts';

export type Setup = { cluster: Cluster; binaries: Binaries; user: ServiceUser | undefined; settings: Settings };

/** A postmaster that this process owns through `client`. `child` is undefined when a killed server left it running. */
export type Running = { pid: number; port: number; client: pg.Client; child: ChildProcess | undefined };

const pollMs = 20;
const attempts = 5;
const betweenAttemptsMs = 200;
const silenceLimitMs = 30_000;
const fastShutdownLimitMs = 6_000;

/** `port` is to be the same as before; `signal` breaks the attempts off. */
export type Acquire = { port?: number; signal?: AbortSignal };

/**
 * The cluster's postmaster, started or taken over, and owned. Throws `DataDirInUseError` while another server owns
 * it, the signal's reason, else `EmbeddedPostgresError`; then nothing that this call started is left running.
 */
export async function acquire(setup: Setup, { port, signal }: Acquire = {}): Promise<Running> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const running = await bringUp(setup, { port, signal });
    if (running && (await own(setup, running))) return running;
    // The server ended, or was shut down as another version's: the port was taken, or processes of a killed one linger.
    if (!running) await delay(betweenAttemptsMs, undefined, { signal });
  }
  throw new EmbeddedPostgresError(`DATA_DIR: PostgreSQL did not start: ${await lastLogLine(setup.cluster)}`);
}

/** Undefined when the postmaster ended before it could be talked to. */
async function bringUp(
  setup: Setup,
  { port, signal }: { port: number | undefined; signal: AbortSignal | undefined },
): Promise<Running | undefined> {
  const { cluster, binaries, user, settings } = setup;
  signal?.throwIfAborted();
  const found = await findPostmaster(cluster);
  const child = found
    ? undefined
    : await spawnPostmaster(cluster, binaries, user, port ?? (await findFreePort()), settings);
  try {
    return await connectWhenUp(cluster, child, signal);
  } catch (error) {
    if (child && !hasExited(child)) {
      child.kill('SIGQUIT');
      await once(child, 'exit');
    }
    throw error;
  }
}

async function connectWhenUp(
  cluster: Cluster,
  child: ChildProcess | undefined,
  signal: AbortSignal | undefined,
): Promise<Running | undefined> {
  let giveUpAt = performance.now() + silenceLimitMs;
  while (performance.now() < giveUpAt) {
    const found = await findPostmaster(cluster);
    if (!found && (!child || hasExited(child))) return undefined;
    if (found?.port) {
      try {
        const client = await connect(cluster, found.port);
        return { pid: found.pid, port: found.port, client, child: child?.pid === found.pid ? child : undefined };
      } catch (error) {
        if (error instanceof EmbeddedPostgresError) throw error;
        // 57P03, cannot_connect_now: it recovers from a crash, which takes as long as it takes.
        if ((error as { code?: string }).code === '57P03') giveUpAt = performance.now() + silenceLimitMs;
      }
    }
    await delay(pollMs, undefined, { signal });
  }
  throw new EmbeddedPostgresError(`DATA_DIR: PostgreSQL does not answer: ${await lastLogLine(cluster)}`);
}

/** False when it is gone: it was another version's or ran with other settings, so it, or somebody, shut it down. */
async function own({ cluster, binaries, settings }: Setup, running: Running): Promise<boolean> {
  try {
    await takeOwnership(cluster, running.client);
    const { rows } = await running.client.query<{ cluster_name: string }>('show cluster_name');
    if (rows[0]?.cluster_name === clusterName(binaries, settings)) return true;
  } catch (error) {
    await running.client.end().catch(() => {});
    if (error instanceof EmbeddedPostgresError) throw error;
    return false;
  }
  await shutDown(cluster, running);
  return false;
}

/**
 * Disconnects everybody, writes all to disk and ends; what takes longer than the limit is left to recovery. A server
 * that was gone before is left alone: its pid may be another process's by now.
 */
export async function shutDown(cluster: Cluster, { pid, child, client }: Running): Promise<void> {
  const isGone = async () => (await findPostmaster(cluster))?.pid !== pid && (!child || hasExited(child));
  const startedAt = performance.now();
  let isUrgent = false;
  if (!(await isGone())) {
    // A stopped process gets no signal until it is continued.
    send(pid, 'SIGCONT');
    send(pid, 'SIGINT');
  }
  while (!(await isGone())) {
    if (!isUrgent && performance.now() - startedAt > fastShutdownLimitMs) {
      isUrgent = true;
      send(pid, 'SIGQUIT');
    }
    await delay(pollMs);
  }
  await client.end().catch(() => {});
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function lastLogLine({ dataDir }: Cluster): Promise<string> {
  const path = join(dataDir, 'postgres.log');
  const log = await readFile(path, 'utf8').catch(() => '');
  const complaints = log.split('\n').filter((line) => /FATAL|PANIC|could not/.test(line));
  return complaints.at(-1) ?? `see ${path}`;
}
