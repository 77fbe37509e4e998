import pg from 'pg';
import type { Config } from '#server/config.ts';
import { leadsToPooler } from '#server/platform/db/pooler.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { isContracting } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { finding, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import type { OpenDatabase } from './open-product.ts';
import { workerFindings } from './worker-findings.ts';

const answerMs = 10_000;
/** 20 for its work, four for lists, two for leases, two that listen and keep its name, and a few for moments. */
const connectionsOfProcess = 30;
const leastVersion = 150_000;

type DatabaseFacts = {
  version: number;
  version_text: string;
  role: string;
  is_superuser: boolean;
  is_standby: boolean;
  encoding: string;
  clock: Date;
  connections: number;
  most_connections: number;
  lag_bytes: number | null;
  standbys: number;
  oldest_transaction_s: number;
};

const factsSql = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
         current_user as role, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
         pg_is_in_recovery() as is_standby, current_setting('server_encoding') as encoding, clock_timestamp() as clock,
         (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
         current_setting('max_connections')::int as most_connections,
         (select count(*)::int from pg_stat_replication) as standbys,
         case when not pg_is_in_recovery()
              then (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float from pg_stat_replication) end as lag_bytes,
         coalesce((select max(extract(epoch from clock_timestamp() - xact_start))::int from pg_stat_activity
                    where backend_type = 'client backend'), 0) as oldest_transaction_s`;

export async function databaseFindings(
  { connectionString, directConnectionString }: OpenDatabase,
  { databaseUrl, databaseSchema }: Config,
): Promise<Finding[]> {
  const isEmbedded = databaseUrl === undefined;
  const client = new pg.Client({
    connectionString: inSchema(directConnectionString ?? connectionString, databaseSchema),
    connectionTimeoutMillis: answerMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const askedAt = Date.now();
    const { rows } = await client.query<DatabaseFacts>(factsSql);
    const [facts] = rows;
    if (!facts) throw new Error('the database answered nothing');
    const drift = Math.abs(facts.clock.getTime() - (askedAt + Date.now()) / 2);
    const migrated = await migrationFinding(client);
    const workers = migrated.state === 'ok' ? await workerFindings(client) : [];
    return [...factFindings(facts, isEmbedded), clockFinding(drift), migrated, ...workers];
  } finally {
    await client.end();
  }
}

/** Of the embedded database the owner is asked; the product itself has a lesser role. */
function factFindings(facts: DatabaseFacts, isEmbedded: boolean): Finding[] {
  const left = facts.most_connections - facts.connections;
  return [
    facts.version >= leastVersion
      ? ok('database', `PostgreSQL ${facts.version_text} as ${facts.role}`)
      : finding('database', 'failed', `PostgreSQL ${facts.version_text}`, 'Use PostgreSQL 15 or newer'),
    facts.is_standby
      ? finding(
          'primary',
          'failed',
          'this server is a standby, which takes no writes',
          'Set DATABASE_URL to the primary',
        )
      : ok('primary', 'takes writes'),
    facts.is_superuser && !isEmbedded
      ? finding(
          'role',
          'warning',
          `${facts.role} is a superuser`,
          'Use a lesser role in DATABASE_URL, and the owner in MIGRATION_DATABASE_URL',
        )
      : ok('role', isEmbedded ? 'the embedded database keeps two' : `${facts.role} is no superuser`),
    facts.encoding === 'UTF8'
      ? ok('encoding', 'UTF8')
      : finding('encoding', 'failed', facts.encoding, 'Make the database with encoding UTF8'),
    left >= connectionsOfProcess
      ? ok('connections', `${facts.connections} of ${facts.most_connections} are used`)
      : finding(
          'connections',
          'warning',
          `${facts.connections} of ${facts.most_connections} are used; a process opens up to ${connectionsOfProcess}`,
          'Raise max_connections, or put PgBouncer in front',
        ),
    (facts.lag_bytes ?? 0) < 64 * 1024 * 1024
      ? ok(
          'replication',
          facts.standbys === 0 ? 'no standby' : `${facts.standbys} standbys, ${facts.lag_bytes} bytes behind`,
        )
      : finding(
          'replication',
          'warning',
          `${facts.lag_bytes} bytes behind`,
          'Look at the standby: a failover would lose these',
        ),
    facts.oldest_transaction_s < 600
      ? ok('long transactions', `the longest has run for ${facts.oldest_transaction_s} s`)
      : finding(
          'long transactions',
          'warning',
          `one has run for ${facts.oldest_transaction_s} s`,
          'End it: meanwhile no deleted row is cleared away',
        ),
  ];
}

function clockFinding(driftMs: number): Finding {
  const found = `${Math.round(driftMs)} ms beside the database's`;
  return driftMs < 2_000
    ? ok('clock', found)
    : finding(
        'clock',
        'warning',
        found,
        'Records keep the database’s time; for logs and certificates run a time service',
      );
}

async function migrationFinding(client: pg.Client): Promise<Finding> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    `select to_regclass('kysely_migration') is not null as is_there`,
  );
  if (found[0]?.is_there !== true) {
    return finding('migrations', 'warning', 'none has run', 'The first start runs them, or npm run migrate');
  }
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  const done = new Set(rows.map(({ name }) => name));
  const missing = Object.keys(migrations).filter((name) => !done.has(name));
  const due = missing.filter((name) => !isContracting(name));
  if (due.length > 0) {
    const hint = 'The next start runs them, or npm run migrate';
    return finding('migrations', 'warning', `missing: ${due.join(', ')}`, hint);
  }
  // The operator decides when.
  const left = missing.length > 0 ? `; the upgrade is not finished (npm run migrate -- --finish)` : '';
  return ok('migrations', `${done.size} have run${left}`);
}

export async function poolerFindings({ databaseUrl, directDatabaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === undefined) return [ok('pooler', 'the embedded database has none')];
  const isPooler = await leadsToPooler(databaseUrl);
  if (!isPooler) return [ok('pooler', 'DATABASE_URL leads to PostgreSQL itself')];
  if (directDatabaseUrl === undefined || (await leadsToPooler(directDatabaseUrl))) {
    return [
      finding(
        'pooler',
        'failed',
        'a pooler, and no way around it',
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself',
      ),
    ];
  }
  return [ok('pooler', 'DATABASE_URL leads to a pooler, DATABASE_DIRECT_URL to PostgreSQL')];
}
