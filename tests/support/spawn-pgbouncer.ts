import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Debian's package puts it where only root's PATH leads. */
const candidates = ['pgbouncer', '/usr/sbin/pgbouncer'];

function findPgBouncer(): string | undefined {
  return candidates.find((path) => {
    try {
      execFileSync(path, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

export const pgBouncer = findPgBouncer();

/** PgBouncer, which shares connections between transactions. */
export type PgBouncer = {
  /** Leads through it. */
  connectionString: string;
  pid(): number;
  /** As an operator's `kill -9` and start. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const startTimeoutMs = 60_000;

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Stands between the product and its database until it is stopped. */
export async function spawnPgBouncer(connectionString: string): Promise<PgBouncer> {
  if (pgBouncer === undefined) throw new Error('PgBouncer is not installed');
  const target = new URL(connectionString);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'dovepost-pgbouncer-'));
  const users = join(directory, 'users.txt');
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
`,
  );
  for (const path of [directory, users, settings]) await chmod(path, 0o755);
  // PgBouncer refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const program = pgBouncer;
  const start = async () => {
    const child = spawn(program, ['--quiet', ...asNobody, settings], { stdio: 'ignore' });
    const signal = AbortSignal.timeout(startTimeoutMs);
    while (!(await accepts(port))) await delay(20, undefined, { signal });
    return child;
  };
  const end = async () => {
    const exit = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exit;
  };
  let child = await start();
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    connectionString: url.href,
    pid: () => child.pid ?? 0,
    async restart() {
      await end();
      child = await start();
    },
    async stop() {
      await end();
      await rm(directory, { recursive: true });
    },
  };
}
