import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { system } from '#server/actor.ts';
import { createReads } from '#server/reads.ts';
import type { Replica } from '#server/reads.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { createOidcProvider } from '#server/connectors/identity/oidc-provider.ts';
import { createMailer } from '#server/connectors/mail/create-mailer.ts';
import { createCloudConnector } from '#server/connectors/messaging/cloud/cloud-connector.ts';
import { createSandboxConnector } from '#server/connectors/messaging/sandbox/sandbox.ts';
import { createWhatsAppConnector } from '#server/connectors/messaging/whatsapp/whatsapp-connector.ts';
import { createDiskStore } from '#server/connectors/storage/disk-store.ts';
import { createS3Store } from '#server/connectors/storage/s3-store.ts';
import { createPaymentProvider } from '#server/connectors/payments/create-payment-provider.ts';
import { reactToDomainEvents } from '#server/jobs.ts';
import { findLeavers } from '#server/modules/outreach/campaigns/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createDatabaseClock, databaseTime } from '#server/platform/db/database-clock.ts';
import { createHangWatch } from '#server/platform/db/hang-watch.ts';
import type { HangWatch } from '#server/platform/db/hang-watch.ts';
import { kyselyPool } from '#server/platform/db/kysely-pool.ts';
import { createListener } from '#server/platform/db/listen.ts';
import { createPool, readPoolOptions } from '#server/platform/db/pool.ts';
import { createReadReplica } from '#server/platform/db/read-replica.ts';
import { searchPathOf } from '#server/platform/db/schema.ts';
import type { Database } from '#server/database.ts';
import { createPublicResolver, resolveWithSystem } from '#server/platform/http/resolve-host.ts';
import type { Logger } from '#server/platform/logger.ts';
import { createSecretBox } from '#server/platform/secrets.ts';
import { noTraces } from '#server/platform/tracing/traces.ts';
import type { Traces } from '#server/platform/tracing/traces.ts';

export type Composition = {
  ctx: Context;
  /** Connections that only the renewal of phones' leases uses, and none before that. */
  leaseDb: Kysely<Database>;
  hangs: HangWatch;
  /** For a process whose listener does not start: it reads the database's time otherwise. */
  readTime(): Promise<void>;
  close(): Promise<void>;
};

/** Well below the time that a lease lasts. */
const leaseTimeouts = { statementMs: 3_000, lockMs: 1_000, idleInTransactionMs: 3_000, answerGraceMs: 1_000 };

type Parts = {
  config: Config;
  connectionString: string;
  /** PostgreSQL itself, where `connectionString` leads to a pooler that shares connections between transactions. */
  directConnectionString?: string | undefined;
  secretKey: Buffer;
  logger: Logger;
  /** Absent: the database's. */
  clock?: Clock;
  /** Absent: nothing is traced. */
  traces?: Traces;
};

/** Builds every client, once; `close` ends their connections. */
export function compose(parts: Parts): Composition {
  const { config, connectionString, directConnectionString, secretKey, logger } = parts;
  const databaseClock = createDatabaseClock();
  const clock = parts.clock ?? databaseClock;
  const hangs = createHangWatch({ connectionString: directConnectionString ?? connectionString });
  const searchPath = searchPathOf(config.databaseSchema);
  const settings = searchPath === undefined ? [] : [searchPath];
  const base = { connectionString, logger, isBehindPooler: directConnectionString !== undefined, hangs, settings };
  const pool = createPool(base);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, base) }) });
  const readOptions = { ...base, ...readPoolOptions, settings: [...settings, ...readPoolOptions.settings] };
  const readPool = kyselyPool(createPool(readOptions), readOptions);
  const replica = config.readDatabaseUrl === undefined ? undefined : connectReplica(config.readDatabaseUrl);
  const reads = createReads(readPool, replica);
  function connectReplica(url: string): Replica {
    const { hangs: _ofPrimary, ...options } = {
      ...readOptions,
      connectionString: url,
      logger: logger.child({ standby: true }),
    };
    const standby = kyselyPool(createPool(options), options);
    const standbyDb = new Kysely<Database>({ dialect: new PostgresDialect({ pool: standby }) });
    return { db: standbyDb, of: createReadReplica({ primary: db, standby: standbyDb, pool: standby, logger }) };
  }
  const leaseOptions = { ...base, maxConnections: 2, timeouts: leaseTimeouts };
  const leaseDb = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: kyselyPool(createPool(leaseOptions), leaseOptions) }),
  });
  const listener = createListener({
    connectionString: directConnectionString ?? connectionString,
    schema: config.databaseSchema,
    logger,
    clock: databaseClock,
  });
  const egress = {
    isPrivateAllowed: config.areWebhooksToPrivateAddressesAllowed,
    resolveHost: config.areWebhooksToPrivateAddressesAllowed ? resolveWithSystem : createPublicResolver(),
  };
  const ctx: Context = {
    config,
    get process() {
      return process;
    },
    db,
    pool,
    reads,
    clock,
    logger,
    traces: parts.traces ?? noTraces,
    secrets: createSecretBox(secretKey, config.oldSecretKeys),
    listener,
    connectors: {
      sandbox: createSandboxConnector({ clock }),
      cloud: createCloudConnector({ ...config.cloudApi, clock, logger }),
      whatsapp: createWhatsAppConnector({
        socketUrl: config.whatsappSocketUrl,
        egress,
        logger,
        clock,
      }),
    },
    payments: createPaymentProvider({ config, db, clock, logger }),
    mailer: createMailer(config),
    identityProvider:
      config.oidc &&
      createOidcProvider({ ...config.oidc, redirectUri: `${config.publicUrl}/login/callback`, clock, logger }),
    files: config.s3 ? createS3Store(config.s3) : createDiskStore(join(config.dataDir, 'media')),
    egress,
    actor: system,
    recheckClaimed: findLeavers,
    onDomainEvents: reactToDomainEvents,
  };
  const process = { ctx };
  return {
    ctx,
    leaseDb,
    hangs,
    readTime: () => databaseClock.read(() => databaseTime(db)),
    async close() {
      await listener.close();
      await reads.db.destroy();
      await replica?.db.destroy();
      await leaseDb.destroy();
      await db.destroy();
    },
  };
}
