import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { request } from 'undici';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { freeBytesOf } from '#server/platform/disk-space.ts';
import { leadsToPooler } from '#server/platform/db/pooler.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';
import type { OpenDatabase } from './open-product.ts';
import { replicaFindings } from './replica-findings.ts';
import { workerFindings } from './worker-findings.ts';

/** `remedy`: what the operator does about it. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'failed'; found: string; remedy?: string };

const answerMs = 10_000;
const connectionsOfProcess = 46;
const leastVersion = 150_000;

const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });

/** Runs a check; one that throws, or is not done in time, is a failure with this remedy. */
async function examine(check: string, remedy: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${answerMs / 1000} s`)), answerMs);
  try {
    return await Promise.race([work(), timeout.promise]);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const found = error instanceof Error ? `${error.message || error.name}${cause}` : String(error);
    return [{ check, state: 'failed', found, remedy }];
  } finally {
    clearTimeout(timer);
  }
}

/** Checks the product's surroundings: the database, the disk, and the services it calls. */
export async function diagnose(ctx: Context, database: OpenDatabase): Promise<Finding[]> {
  const { config } = ctx;
  const found = await Promise.all([
    examine('database', 'Check DATABASE_URL, and that PostgreSQL runs and lets this machine in', () =>
      databaseFindings(database, config),
    ),
    examine('pooler', 'Check DATABASE_URL and DATABASE_DIRECT_URL', () => poolerFindings(config)),
    examine('read replica', 'Check DATABASE_READ_URL', () => replicaFindings(config)),
    examine('secret key', 'Set the SECRET_KEY that the data were encrypted with', async () => {
      await requireOpenSecrets(ctx);
      return [ok('secret key', 'opens what is stored')];
    }),
    examine('disk', `See that the service's user may write to ${config.dataDir}`, () => diskFindings(config)),
    examine('file storage', 'Check the S3_ settings, and the rights of the key on the bucket', () =>
      storageFindings(ctx),
    ),
    examine('mail', 'Check SMTP_URL: host, port, name and password', () => mailFindings(config)),
    examine('payments', 'Let this machine reach PAYPAL_BASE_URL', () => paymentFindings(config)),
    examine('identity provider', 'Check the OIDC_ settings, and that this machine reaches OIDC_ISSUER', () =>
      providerFindings(ctx),
    ),
    examine('WhatsApp', 'Let this machine reach https://web.whatsapp.com; linked phones need it', () =>
      reach('WhatsApp', 'https://web.whatsapp.com'),
    ),
    examine('official API', 'Let this machine reach CLOUD_API_BASE_URL; official numbers need it', () =>
      reach('official API', config.cloudApi.baseUrl),
    ),
  ]);
  return [...settingFindings(config), ...found.flat()];
}

function settingFindings(config: Config): Finding[] {
  const isPublic = config.publicUrl.startsWith('https:');
  return [
    isPublic || /\/\/(localhost|127\.)/.test(config.publicUrl)
      ? ok('settings', `PUBLIC_URL is ${config.publicUrl}`)
      : {
          check: 'settings',
          state: 'warning',
          found: `PUBLIC_URL is ${config.publicUrl}: passwords and keys go unencrypted`,
          remedy: 'Put a reverse proxy with TLS in front, and set its https address',
        },
    config.ffmpeg
      ? ok('ffmpeg', config.ffmpeg)
      : {
          check: 'ffmpeg',
          state: 'warning',
          found: 'none: videos and voice notes have to fit WhatsApp as they are',
          remedy: 'Install ffmpeg, or set FFMPEG=off to say that this is meant',
        },
  ];
}

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

async function databaseFindings(
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

const finding = (check: string, state: Finding['state'], found: string, remedy: string): Finding => ({
  check,
  state,
  found,
  remedy,
});

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
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  const done = new Set(rows.map(({ name }) => name));
  const missing = Object.keys(migrations).filter((name) => !done.has(name));
  return missing.length === 0
    ? ok('migrations', `${done.size} have run`)
    : finding(
        'migrations',
        'warning',
        `missing: ${missing.join(', ')}`,
        'The next start runs them, or npm run migrate',
      );
}

async function poolerFindings({ databaseUrl, directDatabaseUrl }: Config): Promise<Finding[]> {
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

async function diskFindings({ dataDir, storage }: Config): Promise<Finding[]> {
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  await mkdir(dataDir, { recursive: true });
  await writeFile(probe, 'x');
  await rm(probe);
  const free = await freeBytesOf(dataDir);
  const found = `${Math.round((free ?? 0) / 2 ** 20)} MiB free at ${dataDir}`;
  return free === undefined || free >= storage.minFreeBytes
    ? [ok('disk', found)]
    : [finding('disk', 'failed', found, 'Make room: below MIN_FREE_DISK_MIB uploads are refused')];
}

/** Stores a small file, reads it back and removes it. */
async function storageFindings({ files, config }: Context): Promise<Finding[]> {
  const key = `doctor/${randomUUID().replaceAll('-', '')}`;
  const path = join(config.dataDir, `.doctor-${randomUUID()}`);
  const content = 'written by the doctor';
  await writeFile(path, content);
  try {
    const sha256 = createHash('sha256').update(content).digest('hex');
    await files.put(key, { path, size: content.length, sha256 });
    const back = await text(await files.open(key));
    await files.remove(key);
    if (back !== content) throw new Error('it answered another content than was stored');
    return [ok('file storage', config.s3 ? `the bucket ${config.s3.bucket}` : `${config.dataDir}/media`)];
  } finally {
    await rm(path, { force: true });
  }
}

async function mailFindings({ mail, dataDir }: Config): Promise<Finding[]> {
  if (mail.smtpUrl === undefined) {
    const found = `no SMTP_URL: mail goes to files below ${dataDir}/mail`;
    return [finding('mail', 'warning', found, 'Set SMTP_URL, so that people get their mail')];
  }
  const url = mail.smtpUrl;
  const transport = createTransport({ url, connectionTimeout: answerMs, greetingTimeout: answerMs });
  try {
    await transport.verify();
    return [ok('mail', `${new URL(url).host} takes mail from us`)];
  } finally {
    transport.close();
  }
}

async function paymentFindings({ payments }: Config): Promise<Finding[]> {
  if (payments.provider === 'test')
    return [finding('payments', 'warning', 'test mode: nobody pays', 'Set the PAYPAL_ settings')];
  return reach('payments', payments.paypal.baseUrl);
}

/** Nothing where none is set up. */
async function providerFindings({ identityProvider }: Context): Promise<Finding[]> {
  if (!identityProvider) return [];
  await identityProvider.begin({ secrets: { state: 'none', nonce: 'none', verifier: 'none' }, isAnew: false });
  return [ok('identity provider', `${identityProvider.issuer} says how it is used`)];
}

/** Any answer will do: it is the way there that is tried. */
async function reach(check: string, url: string): Promise<Finding[]> {
  const { statusCode, body } = await request(url, { method: 'HEAD', headersTimeout: answerMs, bodyTimeout: answerMs });
  body.resume();
  return [ok(check, `${new URL(url).host} answers (${statusCode})`)];
}
