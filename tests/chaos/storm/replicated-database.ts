import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { admitApplication } from '#server/platform/db/application-role.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { createLogger } from '#server/platform/logger.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { databaseProcesses } from '#tests/support/embedded-processes.ts';
import { copyCluster } from '#tests/support/standby.ts';
import { sendSignal } from './storm-database.ts';
import type { StormDatabase } from './storm-database.ts';
import { layPhoneWatch } from './watch-phones.ts';

/** Has, where it has one, a standby that holds all that is committed. */
export type ReplicatedDatabase = StormDatabase & {
  primaryDirectory(): string;
  /** The primary is lost, and the standby takes its place. */
  promote(): Promise<void>;
  /** Another standby follows the primary, and each commit waits for it. */
  addStandby(): Promise<void>;
};

type Node = { dataDir: string; postgres: EmbeddedPostgres };

/** A crash of PostgreSQL alone keeps what was written; only a crash of the machine needs the disk. */
const settings = {
  fsync: 'off',
  max_connections: '300',
  wal_keep_size: '256MB',
  // The disks are small.
  max_wal_size: '256MB',
  wal_retrieve_retry_interval: '200ms',
};

const start = async (dataDir: string): Promise<Node> => ({
  dataDir,
  postgres: await startEmbeddedPostgres({ dataDir, logger: createLogger('silent'), settings }),
});

const ask = ({ postgres }: Node, statement: string) =>
  asOwner({ ownerConnectionString: postgres.connectionString }, statement);

/** The nodes are in `directories` in turn. */
export async function startReplicatedDatabase(directories: readonly string[]): Promise<ReplicatedDatabase> {
  let made = 0;
  const nextDirectory = () => join(directories[made % directories.length] ?? '', `postgres-${(made += 1)}`);
  let primary = await start(nextDirectory());
  let standby: Node | undefined;
  await migrateDatabase(primary.postgres.connectionString);
  await layPhoneWatch((text) => ask(primary, text));
  await admitApplication(primary.postgres.connectionString, primary.postgres.application.role);

  async function signal(name: NodeJS.Signals, which: 'postmaster' | 'all'): Promise<void> {
    const pids = await databaseProcesses(primary.dataDir);
    for (const pid of which === 'all' ? pids : pids.slice(0, 1)) sendSignal(pid, name);
  }

  return {
    owner: () => primary.postgres.connectionString,
    application: () => primary.postgres.application.connectionString,
    env: {},
    connections: `usename = 'dovepost_application'`,
    primaryDirectory: () => primary.dataDir,
    signal,
    async promote() {
      if (!standby) throw new Error('There is no standby');
      await signal('SIGKILL', 'all');
      await primary.postgres.stop();
      await rm(primary.dataDir, { recursive: true });
      await ask(standby, 'select pg_promote()');
      [primary, standby] = [standby, undefined];
    },
    async addStandby() {
      const dataDir = nextDirectory();
      await copyCluster(dataDir, { from: primary.dataDir, connectionString: primary.postgres.connectionString });
      standby = await start(dataDir);
      await ask(primary, `alter system set synchronous_standby_names = '*'`);
      await ask(primary, 'select pg_reload_conf()');
    },
    async stop() {
      await standby?.postgres.stop();
      await primary.postgres.stop();
    },
  };
}
