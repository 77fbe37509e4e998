import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import type { ServiceUser } from './service-user.ts';
import { spawnProgram } from './spawn-program.ts';

const logLimitBytes = 1024 * 1024;

export type Settings = Readonly<Record<string, string>>;

/**
 * A sixteenth of the memory, from 128 MiB, which PostgreSQL has by itself, to 512 MiB: a page that is not among them is
 * copied from the system's cache each time. Only what is used is taken.
 */
function sharedBuffersMiB(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.floor(Math.min(512, Math.max(128, bytes / 2 ** 20 / 16)));
}

/** Durable as PostgreSQL comes; sized for one machine that also runs the server. */
const baseSettings: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMiB()}MB`,
  // Planning for solid state disks; compiling queries costs more than it saves here.
  random_page_cost: '1.1',
  jit: 'off',
  // Tables that fill are planned for as empty ones until they are looked at.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors go to the client. A log of them would repeat what people store: statements, keys, addresses.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // A query whose server was killed ends, and frees what it holds, though it sends nothing.
  ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '2s' }),
};

/** The content of `postmaster.pid`; `port` is missing in a postmaster's first moments. */
export type Postmaster = { pid: number; port: number | undefined };

function pidFile(cluster: Cluster): string {
  return join(cluster.directory, 'postmaster.pid');
}

function readPidFile(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The postmaster that runs on the cluster, whoever started it. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const content = await readPidFile(pidFile(cluster));
  if (content === undefined) return undefined;
  const pid = pidIn(content);
  if (!isAlive(pid) || (await worksIn(pid, cluster.directory)) === false) return undefined;
  const port = content.split('\n')[portLine];
  return { pid, port: port ? Number(port) : undefined };
}

/**
 * PostgreSQL does not start over a file that names a living process, even when that number was given out again since.
 * Only for when `findPostmaster` found none.
 */
async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const path = pidFile(cluster);
  const content = await readPidFile(path);
  if (content === undefined || !isAlive(pidIn(content))) return;
  if ((await worksIn(pidIn(content), cluster.directory)) !== false) return;
  const aside = `${path}.stale`;
  // A start at the same moment may have removed it, or put its own there, since it was read.
  await rename(path, aside).catch(ignoreMissing);
  const moved = await readPidFile(aside);
  if (moved === content) await rm(aside);
  else if (moved !== undefined) await rename(aside, path);
}

/** The first line is the process, the fourth its port: PostgreSQL's `miscadmin.h`, LOCK_FILE_LINE_… */
const portLine = 3;

function pidIn(content: string): number {
  return Number.parseInt(content, 10);
}

function isAlive(pid: number): boolean {
  try {
    return pid > 1 && process.kill(pid, 0);
  } catch {
    // Neither gone nor another user's: PostgreSQL, too, takes over from both.
    return false;
  }
}

/** Whether the process is a postmaster of this directory, not a later process with its number. Undefined: unknown. */
async function worksIn(pid: number, directory: string): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const [cwd, expected] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(directory)]);
    return cwd.dev === expected.dev && cwd.ino === expected.ino;
  } catch (error) {
    // A process that ended and was not collected by its parent still has its number, but no directory.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? false : undefined;
  }
}

/** Starts a postmaster on the cluster. Whether it came up, and not another's, is to be seen by connecting. */
export async function spawnPostmaster(
  cluster: Cluster,
  binaries: Binaries,
  user: ServiceUser | undefined,
  port: number,
  settings: Settings,
): Promise<ChildProcess> {
  await removeStalePidFile(cluster);
  // In DATA_DIR, not in the cluster's home: root opens no file where the service user could plant a link.
  const log = await openLog(join(cluster.dataDir, 'postgres.log'));
  try {
    const child = await spawnProgram({
      path: binaries.postgres,
      home: cluster.home,
      user,
      output: log.fd,
      isDetached: true,
      args: (home) =>
        [
          '-D',
          join(home, 'cluster'),
          '-p',
          String(port),
          '-c',
          `cluster_name=${clusterName(binaries, settings)}`,
        ].concat(settingArgs(settings)),
    });
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Whether a postmaster found running is the one that this start would make. */
export function clusterName(binaries: Binaries, settings: Settings): string {
  const digest = createHash('sha256').update(JSON.stringify([binaries.postgres, settingArgs(settings)]));
  return `dovepost-${digest.digest('hex').slice(0, 12)}`;
}

function settingArgs(settings: Settings): string[] {
  return Object.entries({ ...baseSettings, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function openLog(path: string) {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  return open(path, size > logLimitBytes ? 'w' : 'a', 0o600);
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
