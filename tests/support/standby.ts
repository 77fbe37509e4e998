import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { admitApplication } from '#server/platform/db/application-role.ts';
import { findBinaries } from '#server/platform/db/embedded/binaries.ts';
import { clusterHome, openCluster } from '#server/platform/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { findFreePort, spawnPostmaster } from '#server/platform/db/embedded/postmaster.ts';
import { findServiceUser } from '#server/platform/db/embedded/service-user.ts';
import { createLogger } from '#server/platform/logger.ts';
import { migrateDatabase } from '#server/migrate-database.ts';

export type Replicated = {
  /** The owner's, at the primary. */
  ownerConnectionString: string;
  /** The application's, at the primary. */
  connectionString: string;
  /** The application's, at the standby. */
  standbyConnectionString: string;
  /** Keeps the standby as it is, whatever is written at the primary, until it is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** As `kill -9` on each of its processes. */
  killStandby(): void;
  /** On the same port as before. */
  startStandby(): Promise<void>;
  stop(): Promise<void>;
};

const logger = createLogger('silent');
/** Nothing here outlives the machine. */
const settings = { fsync: 'off', max_wal_senders: '4', wal_keep_size: '256MB' };

/** A migrated PostgreSQL and a standby that follows it, made of a backup of its files. */
export async function startReplicated(): Promise<Replicated> {
  const directory = await mkdtemp(join(tmpdir(), 'dovepost-standby-'));
  const [primaryDir, standbyDir] = [join(directory, 'primary'), join(directory, 'standby')];
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, logger, settings });
  await migrateDatabase(primary.connectionString);
  await admitApplication(primary.connectionString, primary.application.role);
  await copyCluster(standbyDir, { from: primaryDir, connectionString: primary.connectionString });
  const port = await findFreePort();
  const at = (address: string) => {
    const url = Object.assign(new URL(address), { port: String(port) });
    url.searchParams.delete('host');
    return url.href;
  };
  const ownerOfStandby = at(primary.connectionString);
  let pid = await start(standbyDir, { port, connectionString: ownerOfStandby });
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: ownerOfStandby });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  const kill = () => {
    // Its processes end themselves once their postmaster is gone.
    process.kill(pid, 'SIGKILL');
  };
  return {
    ownerConnectionString: primary.connectionString,
    connectionString: primary.application.connectionString,
    standbyConnectionString: at(primary.application.connectionString),
    pause: () => ask('select pg_wal_replay_pause()'),
    resume: () => ask('select pg_wal_replay_resume()'),
    killStandby: kill,
    async startStandby() {
      pid = await start(standbyDir, { port, connectionString: ownerOfStandby });
    },
    async stop() {
      try {
        kill();
      } catch {
        // The standby is down already.
      }
      await primary.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** A base backup, of which a start makes a standby of the primary. */
export async function copyCluster(
  dataDir: string,
  { from, connectionString }: { from: string; connectionString: string },
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const home = join(dataDir, 'postgres');
  const cluster = join(home, 'cluster');
  await client.query(`select pg_backup_start('standby', true)`);
  await cp(join(from, 'postgres'), home, {
    recursive: true,
    filter: (path) => !/\/(postmaster\.(pid|opts)|pg_replslot\/.+|\.s\.PGSQL\..+)$/.test(path),
  });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  const { hostname, port, username, password } = new URL(connectionString);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(cluster, 'standby.signal'), '');
  await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
}

/** Resolves to the process once it answers as a standby. */
async function start(
  dataDir: string,
  { port, connectionString }: { port: number; connectionString: string },
): Promise<number> {
  const user = await findServiceUser(clusterHome(dataDir));
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataDir, binaries, user);
  for (;;) {
    // The memory of one that was killed is in use until its last process has ended.
    const child = await spawnPostmaster(cluster, binaries, user, port, { ...settings, hot_standby_feedback: 'on' });
    while (child.exitCode === null) {
      if (await answers(connectionString)) return child.pid ?? 0;
      await delay(50);
    }
    await delay(100);
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby');
    return rows[0]?.is_standby === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
