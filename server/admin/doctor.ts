import { createHash, randomUUID } from 'node:crypto';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { request } from 'undici';
import { connectorsThat } from '#contracts/connectors.ts';
import type { Config } from '#server/config.ts';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { FileStore } from '#server/connectors/storage/port.ts';
import type { Context } from '#server/context.ts';
import { freeBytesOf } from '#server/platform/disk-space.ts';
import { isDatabaseUnavailable } from '#server/platform/db/errors.ts';
import { makeDirectory } from '#server/platform/make-directory.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';
import { databaseFindings, poolerFindings } from './database-findings.ts';
import { finding, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import type { OpenDatabase } from './open-product.ts';
import { replicaFindings } from './replica-findings.ts';

const answerMs = 10_000;

/** Runs a check; one that throws, or is not done in time, is a failure with this remedy. */
async function examine(check: string, remedy: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${answerMs / 1000} s`)), answerMs);
  try {
    return await Promise.race([work(), timeout.promise]);
  } catch (error) {
    return [
      { check, state: 'failed', found: wordsOf(error), remedy: check === 'database' ? remedy : after(error, remedy) },
    ];
  } finally {
    clearTimeout(timer);
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Several addresses were tried: each has its own words, the whole has none.
  const inner =
    error instanceof AggregateError ? error.errors : cause instanceof AggregateError ? cause.errors : [cause];
  const words = [error, ...inner].flatMap((each) => (each instanceof Error && each.message ? [each.message] : []));
  return (
    words.filter((each, index) => words.findIndex((other) => other.includes(each)) === index).join(': ') || error.name
  );
}

/** First things first. */
const after = (error: unknown, remedy: string) =>
  isDatabaseUnavailable(error) ? 'Let the database answer first, then ask again' : remedy;

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
      if (!(await isMigrated(ctx))) return [ok('secret key', 'nothing is stored yet')];
      await requireOpenSecrets(ctx);
      return [ok('secret key', 'opens what is stored')];
    }),
    examine('disk', `See that the service's user may write to ${config.dataDir}`, () => diskFindings(config)),
    examine('file storage', storageRemedy(config), () => storageFindings(ctx)),
    examine('mail', 'Check SMTP_URL: host, port, name and password', () => mailFindings(config)),
    examine('payments', 'Let this machine reach PAYPAL_BASE_URL', () => paymentFindings(config)),
    examine('identity provider', 'Check the OIDC_ settings, and that this machine reaches OIDC_ISSUER', () =>
      providerFindings(ctx),
    ),
    examine('WhatsApp', `Let this machine reach ${whatsAppAddress(config)}; linked phones need it`, () =>
      reach('WhatsApp', whatsAppAddress(config)),
    ),
    examine('traces', 'Let this machine reach OTEL_EXPORTER_OTLP_ENDPOINT, or unset it', () =>
      collectorFindings(config),
    ),
    examine('official API', reachMeta(config), () => reach('official API', config.cloudApi.baseUrl)),
    examine('app at Meta', reachMeta(config), () => metaAppFindings(ctx)),
  ]);
  return [...settingFindings(config), ...found.flat()];
}

const whatsAppAddress = ({ whatsappSocketUrl }: Config) =>
  whatsappSocketUrl?.replace(/^ws/, 'http') ?? 'https://web.whatsapp.com';

const storageRemedy = ({ s3, dataDir }: Config) =>
  s3
    ? 'Check the S3_ settings, and the rights of the key on the bucket'
    : `See that the service's user may write to ${join(dataDir, 'media')}`;

const reachMeta = ({ cloudApi }: Config) =>
  `Let this machine reach ${cloudApi.baseUrl} (CLOUD_API_BASE_URL); official numbers need it`;

async function isMigrated({ db }: Context): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there
  `.execute(db);
  return rows[0]?.is_there === true;
}

/** Nothing where none is set up. */
async function collectorFindings({ tracing }: Config): Promise<Finding[]> {
  if (tracing?.exporter !== 'otlp') return [];
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: shared = '' } = tracing.environment;
  return reach('traces', own ?? shared);
}

/** Nothing where none is set up. */
async function metaAppFindings({ config, connectors }: Context): Promise<Finding[]> {
  const { app } = config.cloudApi;
  if (!app) return [];
  const [connector] = connectorsThat(({ link }) => link === 'credentials');
  const trial = connector && (await connectors[connector].testApp?.());
  if (trial === undefined || trial.kind === 'right') return [ok('app at Meta', app.id)];
  const remedy = trial.kind === 'silent' ? reachMeta(config) : 'Check CLOUD_API_APP_ID and CLOUD_API_APP_SECRET';
  return [finding('app at Meta', 'failed', trial.reason, remedy)];
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

async function diskFindings({ dataDir, storage }: Config): Promise<Finding[]> {
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  await makeDirectory(dataDir);
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
    if (!config.s3) await giveToOwner(config.dataDir, join(config.dataDir, 'media', key));
    const back = await text(await files.open(key));
    await files.remove(key);
    if (back !== content) throw new Error('it answered another content than was stored');
    if (!(await isSaidToBeMissing(files, key))) {
      const found = 'a file that is gone is answered as one that may not be read';
      return [finding('file storage', 'warning', found, 'Give the key s3:ListBucket on the bucket')];
    }
    return [ok('file storage', config.s3 ? `the bucket ${config.s3.bucket}` : `${config.dataDir}/media`)];
  } finally {
    await rm(path, { force: true });
  }
}

/** S3 answers 403 in place of 404 to a key that may not list the bucket. */
async function isSaidToBeMissing(files: FileStore, key: string): Promise<boolean> {
  try {
    (await files.open(key)).destroy();
    return true;
  } catch (error) {
    return error instanceof FileMissingError;
  }
}

/** The service's user could not enter a directory that root has made for the probe. */
async function giveToOwner(dataDir: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  for (let made = dirname(path); made !== dataDir; made = dirname(made)) {
    if ((await stat(made)).uid === 0) await chown(made, uid, gid);
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
