import { accessSync, constants, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { totalmem } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** A setting that stops the start: `message` is one line that names it and says what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(setting: string, expected: string, got?: string) {
    super(`${setting}: expected ${expected}${got === undefined ? '' : `, got ${JSON.stringify(got)}`}`);
  }
}

/** Short enough for the names of channels, of which PostgreSQL takes 63 bytes with the schema before them. */
export const schemaPattern = /^(?!pg_)[a-z_][a-z0-9_]{0,29}$/;

const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

const signUps = ['open', 'invited', 'closed'] as const;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type PayPalConfig = {
  clientId: string;
  clientSecret: string;
  planId: string;
  webhookId: string;
  baseUrl: string;
};

/** A storage that speaks S3; `endpoint` is its address, the bucket a part of the path. */
export type S3Config = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** The settings of OpenTelemetry that the product reads; the libraries read the others from the environment. */
type TracingConfig = {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
  sampler: (typeof samplers)[number];
  /** The part of traces that is kept, of samplers by ratio. */
  ratio: number;
  batch: {
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
    maxQueueSize: number;
    maxExportBatchSize: number;
  };
  /** All that begin with OTEL_, as they were set. */
  environment: Readonly<Record<string, string>>;
};

/** The operator's app at Meta, by which businesses sign their numbers up. */
export type MetaAppConfig = {
  id: string;
  secret: string;
  /** Of Facebook Login for Business: which permissions are asked for. */
  configurationId: string;
  /** Meta names it as it verifies the app's callback. */
  verifyToken: string;
  /** Where the dialog is: without a slash at the end. */
  dialogUrl: string;
};

/** Sign-in by OpenID Connect. */
export type OidcConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** On the button. */
  label: string;
  /** Lower case; empty: addresses of any domain. */
  emailDomains: readonly string[];
};

export type Config = {
  /** 0 lets the system choose. */
  port: number;
  host: string;
  /** An origin, without a slash at its end. */
  publicUrl: string;
  /** An absolute path. */
  dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** The owner of the tables, for migrations, where `databaseUrl` is a lesser role; undefined: one for both. */
  migrationDatabaseUrl: string | undefined;
  /** PostgreSQL itself, where `databaseUrl` leads to a pooler that shares connections between transactions. */
  directDatabaseUrl: string | undefined;
  /** A standby that takes lists, reports and exports; undefined: the primary does. */
  readDatabaseUrl: string | undefined;
  /** Where in the database the product lives. */
  databaseSchema: string;
  /** 32 bytes; undefined: the key kept in `dataDir`. Always there beside a `databaseUrl`. */
  secretKey: Buffer | undefined;
  /** They open what they encrypted; nothing is encrypted with them any more. */
  oldSecretKeys: readonly Buffer[];
  roles: ReadonlySet<Role>;
  payments: { provider: 'paypal'; paypal: PayPalConfig } | { provider: 'test' };
  /** Without an `smtpUrl` mail is written to files under `dataDir`. */
  mail: { smtpUrl: string | undefined; from: string };
  /** Undefined: WhatsApp's own. */
  whatsappSocketUrl: string | undefined;
  /**
   * Meta's official API: its address without a slash at the end, the version of Graph, and the operator's app; undefined:
   * numbers come with apps of their owners alone.
   */
  cloudApi: { baseUrl: string; version: string; app: MetaAppConfig | undefined };
  areWebhooksToPrivateAddressesAllowed: boolean;
  /** `minFreeBytes` of DATA_DIR's disk is kept from uploads; an account's uploads may take up `quotaBytes`. */
  storage: { minFreeBytes: number; quotaBytes: number; mediaQuotaBytes: number };
  /** How many projects an account may have where its plan includes fewer. */
  projectLimit: number;
  /** For how long who signs up may try sandboxes before paying; 0: not at all. */
  trialDays: number;
  /** The people who may sign up: anybody, or only those invited; closed: nobody new, also by invitation. */
  signUp: (typeof signUps)[number];
  /** Undefined: people sign in with passwords and passkeys alone. */
  oidc: OidcConfig | undefined;
  /** Where files of messages lie; undefined: below `dataDir`. */
  s3: S3Config | undefined;
  /** The program that makes videos and voice notes fit; undefined: there is none. */
  ffmpeg: string | undefined;
  /** Undefined: for ever. */
  messagesKeptDays: number | undefined;
  /** How long events of people are kept, and how much room those of one account may take. */
  eventsKeptDays: number;
  eventsQuotaBytes: number;
  /** How many phones this process holds at the most. */
  maxPhones: number;
  /** `/metrics` names the loudest accounts by their ids. */
  areAccountsMeasured: boolean;
  /** Some answers of a flow's search are compared with those of the evaluator in memory. */
  hasShadowEvaluator: boolean;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
  /** After a signal to end the process says that it is not ready, and serves for so long. */
  lameDuckMs: number;
  logLevel: (typeof logLevels)[number];
  /** Where `/metrics` alone is served; undefined: beside everything else, on a loopback `publicUrl`, to this machine. */
  metrics: { host: string; port: number } | undefined;
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment, and below it a `.env` file in `directory`. Throws `ConfigError`. */
export function loadConfig(directory = process.cwd()): Config {
  return parseConfig({ ...readEnvFile(join(directory, '.env')), ...process.env });
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError('.env', 'a readable file');
  }
}

const mebibyte = 1024 * 1024;

const wholePort = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535));
const wholeMebibytes = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform((text) => Number(text) * mebibyte);
const word = z.string().regex(/^\S+$/);
const httpUrl = z.url({ protocol: /^https?$/ });
const commaList = z.string().transform((text) => text.split(',').map((item) => item.trim()));
const base64Key = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]+={0,2}$/)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32);

const port = { schema: wholePort, expected: 'a whole number from 0 to 65535' };
const mebibytes = { schema: wholeMebibytes, expected: 'a whole number of MiB' };
const host = { schema: word, expected: 'a host name or an IP address' };
const httpAddress = { schema: httpUrl, expected: 'an http or https address' };
/** Secrets are sent there. */
const secretsAddress = {
  schema: httpUrl.refine(
    (text) => text.startsWith('https:') || (URL.canParse(text) && isLoopback(new URL(text).hostname)),
  ),
  expected: 'an https address, or http on this machine',
};
/** Else a password with such characters makes another address. */
export const encodedPassword = 'a password in it has %25, %2F, %3F, %23 and %40 for %, /, ?, # and @';
const databaseAddress = {
  schema: z.url({ protocol: /^postgres(ql)?$/ }),
  expected: `a postgresql:// address; ${encodedPassword}`,
  isSecret: true,
};
const yesOrNo = {
  schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
  expected: '"true" or "false"',
};
const milliseconds = { schema: z.coerce.number().int().min(0), expected: 'a whole number of milliseconds' };
const count = { schema: z.coerce.number().int().min(1), expected: 'a whole number, 1 or more' };
const otlpProtocol = { schema: z.enum(['http/protobuf', 'http/json']), expected: '"http/protobuf" or "http/json"' };
const paypalValue = { schema: word, expected: 'a value from PayPal without spaces', isSecret: true };

/** `isSecret` keeps a wrong value out of the message. */
const settings = {
  PORT: port,
  HOST: host,
  PUBLIC_URL: {
    schema: httpUrl.transform((text) => new URL(text)).refine((url) => url.href === `${url.origin}/`),
    expected: 'an http or https address without a path',
  },
  DATA_DIR: { schema: z.string(), expected: 'a directory' },
  DATABASE_URL: databaseAddress,
  DATABASE_DIRECT_URL: databaseAddress,
  DATABASE_READ_URL: databaseAddress,
  MIGRATION_DATABASE_URL: databaseAddress,
  DATABASE_SCHEMA: {
    schema: z.string().regex(schemaPattern),
    expected: 'a name of at most 30 small letters, digits and underscores that begins with no digit, and not with pg_',
  },
  SECRET_KEY: { schema: base64Key, expected: '32 bytes in base64', isSecret: true },
  SECRET_KEYS: {
    schema: commaList.pipe(z.array(base64Key)),
    expected: 'earlier SECRET_KEYs, each 32 bytes in base64, separated by commas',
    isSecret: true,
  },
  ROLES: { schema: commaList.pipe(z.array(z.enum(roles))), expected: '"api", "worker" or "api,worker"' },
  PAYPAL_CLIENT_ID: paypalValue,
  PAYPAL_CLIENT_SECRET: paypalValue,
  PAYPAL_PLAN_ID: paypalValue,
  PAYPAL_WEBHOOK_ID: paypalValue,
  PAYPAL_BASE_URL: secretsAddress,
  PAYMENTS: { schema: z.enum(['paypal', 'test']), expected: '"paypal" or "test"' },
  SMTP_URL: { schema: z.url({ protocol: /^smtps?$/ }), expected: 'an smtp:// or smtps:// address', isSecret: true },
  MAIL_FROM: { schema: z.string().includes('@'), expected: 'a mail address' },
  WHATSAPP_SOCKET_URL: { schema: z.url({ protocol: /^wss?$/ }), expected: 'a ws or wss address' },
  CLOUD_API_BASE_URL: secretsAddress,
  CLOUD_API_APP_ID: { schema: z.string().regex(/^\d{5,25}$/), expected: 'the digits of an app at Meta' },
  CLOUD_API_APP_SECRET: { schema: word, expected: 'the secret of an app at Meta without spaces', isSecret: true },
  CLOUD_API_CONFIGURATION_ID: {
    schema: z.string().regex(/^\d{5,25}$/),
    expected: 'the digits of a configuration of Facebook Login for Business',
  },
  CLOUD_API_VERIFY_TOKEN: { schema: word.min(16), expected: '16 characters or more without spaces', isSecret: true },
  CLOUD_API_DIALOG_URL: secretsAddress,
  CLOUD_API_VERSION: { schema: z.string().regex(/^v\d{2}\.\d$/), expected: 'a version of Graph, such as v25.0' },
  WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: yesOrNo,
  MIN_FREE_DISK_MIB: mebibytes,
  UPLOAD_QUOTA_MIB: mebibytes,
  MEDIA_QUOTA_MIB: mebibytes,
  SIGN_UP: { schema: z.enum(signUps), expected: `one of ${signUps.join(', ')}` },
  PROJECT_LIMIT: { schema: z.coerce.number().int().min(1).max(1000), expected: 'a whole number from 1 to 1000' },
  TRIAL_DAYS: { schema: z.coerce.number().int().min(0).max(365), expected: 'a whole number of days from 0 to 365' },
  OIDC_ISSUER: secretsAddress,
  OIDC_CLIENT_ID: { schema: word, expected: 'the id of a client without spaces' },
  OIDC_CLIENT_SECRET: { schema: word, expected: 'the secret of a client without spaces', isSecret: true },
  OIDC_LABEL: { schema: z.string().max(40), expected: 'a name of at most 40 characters' },
  OIDC_EMAIL_DOMAINS: {
    schema: commaList.pipe(z.array(z.hostname().toLowerCase())),
    expected: 'domains of e-mail addresses, separated by commas',
  },
  S3_ENDPOINT: httpAddress,
  S3_BUCKET: { schema: word, expected: 'the name of a bucket' },
  S3_REGION: { schema: word, expected: 'a region, such as eu-central-1' },
  S3_ACCESS_KEY_ID: { schema: word, expected: 'an access key id', isSecret: true },
  S3_SECRET_ACCESS_KEY: { schema: word, expected: 'a secret access key', isSecret: true },
  FFMPEG: {
    schema: z.string().refine((text) => text === 'off' || (isAbsolute(text) && isExecutable(text))),
    expected: 'the whole path of ffmpeg, or "off"',
  },
  MESSAGES_KEPT_DAYS: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((days) => days >= 30),
    expected: 'a whole number of days, 30 or more',
  },
  EVENTS_KEPT_DAYS: { schema: z.coerce.number().int().min(95).max(3650), expected: 'a whole number from 95 to 3650' },
  EVENTS_QUOTA_MIB: mebibytes,
  MAX_PHONES: { schema: z.coerce.number().int().min(1).max(100_000), expected: 'a whole number from 1 to 100000' },
  METRICS_ACCOUNTS: yesOrNo,
  SHADOW_EVALUATOR: yesOrNo,
  LAME_DUCK_SECONDS: { schema: z.coerce.number().int().min(0).max(60), expected: 'a whole number from 0 to 60' },
  LOG_LEVEL: { schema: z.enum(logLevels), expected: `one of ${logLevels.join(', ')}` },
  METRICS_PORT: port,
  METRICS_HOST: host,
  OTEL_SDK_DISABLED: yesOrNo,
  OTEL_TRACES_EXPORTER: { schema: z.enum(['otlp', 'console', 'none']), expected: '"otlp", "console" or "none"' },
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpAddress,
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_TRACES_SAMPLER: { schema: z.enum(samplers), expected: `one of ${samplers.join(', ')}` },
  OTEL_TRACES_SAMPLER_ARG: { schema: z.coerce.number().min(0).max(1), expected: 'a number from 0 to 1' },
  OTEL_BSP_SCHEDULE_DELAY: milliseconds,
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds,
  OTEL_BSP_MAX_QUEUE_SIZE: count,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count,
  TRUSTED_PROXIES: {
    schema: commaList.pipe(z.array(z.string().refine(isAddressOrNetwork))),
    expected: 'IP addresses or networks, separated by commas',
  },
} as const;

type SettingName = keyof typeof settings;

export const settingNames: readonly string[] = Object.keys(settings);

type SettingValue<N extends SettingName> = z.output<(typeof settings)[N]['schema']>;
type Read = <N extends SettingName>(name: N) => SettingValue<N> | undefined;

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefixLength] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits > 0 && (prefixLength === undefined || (/^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= bits));
}

function reader(env: Environment): Read {
  return (name) => {
    const text = env[name]?.trim();
    // An empty value is how a shell or a compose file says "not set".
    if (text === undefined || text === '') return undefined;
    const setting: { schema: z.ZodType; expected: string; isSecret?: boolean } = settings[name];
    const parsed = setting.schema.safeParse(text);
    if (!parsed.success) throw new ConfigError(name, setting.expected, setting.isSecret ? undefined : text);
    return parsed.data as SettingValue<typeof name>;
  };
}

/** Every setting parsed, with its default. Throws `ConfigError` for the first that is wrong. */
export function parseConfig(env: Environment): Config {
  const read = reader(env);
  const listenPort = read('PORT') ?? 3000;
  const publicUrl = read('PUBLIC_URL') ?? new URL(`http://localhost:${listenPort}`);
  const databaseUrl = read('DATABASE_URL');
  return {
    port: listenPort,
    host: read('HOST') ?? '127.0.0.1',
    publicUrl: publicUrl.origin,
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    databaseUrl,
    oldSecretKeys: read('SECRET_KEYS') ?? [],
    migrationDatabaseUrl: readBesideDatabaseUrl(read, 'MIGRATION_DATABASE_URL'),
    databaseSchema: read('DATABASE_SCHEMA') ?? 'public',
    directDatabaseUrl: readBesideDatabaseUrl(read, 'DATABASE_DIRECT_URL'),
    readDatabaseUrl: readBesideDatabaseUrl(read, 'DATABASE_READ_URL'),
    secretKey: readSecretKey(read, databaseUrl !== undefined),
    roles: new Set(read('ROLES') ?? roles),
    payments: readPayments(read, isLoopback(publicUrl.hostname)),
    mail: { smtpUrl: read('SMTP_URL'), from: read('MAIL_FROM') ?? `Dovepost <no-reply@${publicUrl.hostname}>` },
    whatsappSocketUrl: read('WHATSAPP_SOCKET_URL'),
    cloudApi: {
      baseUrl: (read('CLOUD_API_BASE_URL') ?? 'https://graph.facebook.com').replace(/\/+$/, ''),
      version: read('CLOUD_API_VERSION') ?? 'v25.0',
      app: readMetaApp(read),
    },
    areWebhooksToPrivateAddressesAllowed: read('WEBHOOKS_ALLOW_PRIVATE_ADDRESSES') ?? false,
    storage: {
      minFreeBytes: read('MIN_FREE_DISK_MIB') ?? 512 * mebibyte,
      quotaBytes: read('UPLOAD_QUOTA_MIB') ?? 1024 * mebibyte,
      mediaQuotaBytes: read('MEDIA_QUOTA_MIB') ?? 10 * 1024 * mebibyte,
    },
    projectLimit: read('PROJECT_LIMIT') ?? 1,
    trialDays: read('TRIAL_DAYS') ?? 0,
    signUp: read('SIGN_UP') ?? 'open',
    oidc: readOidc(read),
    s3: readS3(read),
    ffmpeg: readFfmpeg(read, env),
    messagesKeptDays: read('MESSAGES_KEPT_DAYS'),
    eventsKeptDays: read('EVENTS_KEPT_DAYS') ?? 395,
    eventsQuotaBytes: read('EVENTS_QUOTA_MIB') ?? 1024 * mebibyte,
    maxPhones: read('MAX_PHONES') ?? phonesThatFit(),
    areAccountsMeasured: read('METRICS_ACCOUNTS') ?? false,
    hasShadowEvaluator: read('SHADOW_EVALUATOR') ?? false,
    lameDuckMs: (read('LAME_DUCK_SECONDS') ?? 0) * 1000,
    logLevel: read('LOG_LEVEL') ?? 'info',
    metrics: readMetrics(read),
    trustedProxies: read('TRUSTED_PROXIES') ?? [],
    tracing: readTracing(read, env),
  };
}

/** OpenTelemetry's own settings; traces are exported once an address, or an exporter, is named. */
function readTracing(read: Read, env: Environment): TracingConfig | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporter = read('OTEL_TRACES_EXPORTER') ?? (endpoint === undefined ? 'none' : 'otlp');
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const tracing = {
    protocol: protocol ?? 'http/protobuf',
    sampler: read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on',
    ratio: read('OTEL_TRACES_SAMPLER_ARG') ?? 1,
    batch: {
      scheduledDelayMillis: read('OTEL_BSP_SCHEDULE_DELAY') ?? 5_000,
      exportTimeoutMillis: read('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
      maxQueueSize: read('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2_048,
      maxExportBatchSize: read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    },
  };
  if (exporter === 'none' || read('OTEL_SDK_DISABLED') === true) return undefined;
  const environment = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (name.startsWith('OTEL_') && value ? [[name, value]] : [])),
  );
  return { exporter, ...tracing, environment };
}

/** Settings may stand in a file of their own, while the libraries of OpenTelemetry read the environment alone. */
export function shareWithLibraries({ environment }: TracingConfig): void {
  for (const [name, value] of Object.entries(environment)) process.env[name] ??= value;
}

/** A linked phone takes 1 MiB at rest and some of it twice while it receives; the rest of the process half a GiB. */
function phonesThatFit(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(2_000, Math.max(50, Math.floor((bytes / mebibyte - 512) / 2)));
}

function readFfmpeg(read: Read, { PATH = '' }: Environment): string | undefined {
  const named = read('FFMPEG');
  if (named !== undefined) return named === 'off' ? undefined : named;
  const places = PATH.split(delimiter).filter(isAbsolute);
  return places.map((directory) => join(directory, 'ffmpeg')).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type BesideDatabaseUrl = 'MIGRATION_DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_READ_URL';

function readBesideDatabaseUrl(read: Read, name: BesideDatabaseUrl): string | undefined {
  const url = read(name);
  if (url !== undefined && read('DATABASE_URL') === undefined)
    throw new ConfigError('DATABASE_URL', `a value beside ${name}`);
  return url;
}

function readSecretKey(read: Read, isRequired: boolean): Buffer | undefined {
  const key = read('SECRET_KEY');
  // Processes that share a database must share the key, so none may make up its own.
  if (key === undefined && isRequired) throw new ConfigError('SECRET_KEY', '32 bytes in base64 beside DATABASE_URL');
  return key;
}

function readPayments(read: Read, isPublicUrlLoopback: boolean): Config['payments'] {
  const choice = read('PAYMENTS');
  const paypal = readPayPal(read, choice === 'paypal');
  if (choice === 'test') return { provider: 'test' };
  if (paypal) return { provider: 'paypal', paypal };
  if (isPublicUrlLoopback) return { provider: 'test' };
  throw new ConfigError('PAYMENTS', '"paypal" with the PAYPAL_ settings, or "test", as PUBLIC_URL is not this machine');
}

function readPayPal(read: Read, isRequired: boolean): PayPalConfig | undefined {
  const baseUrl = read('PAYPAL_BASE_URL');
  const values = {
    PAYPAL_CLIENT_ID: read('PAYPAL_CLIENT_ID'),
    PAYPAL_CLIENT_SECRET: read('PAYPAL_CLIENT_SECRET'),
    PAYPAL_PLAN_ID: read('PAYPAL_PLAN_ID'),
    PAYPAL_WEBHOOK_ID: read('PAYPAL_WEBHOOK_ID'),
  };
  const isTouched = baseUrl !== undefined || Object.values(values).some((value) => value !== undefined);
  if (!isTouched && !isRequired) return undefined;
  const valueOf = (name: keyof typeof values) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new ConfigError(name, `a value, as ${isTouched ? 'other PAYPAL_ settings are set' : 'PAYMENTS is "paypal"'}`);
  };
  return {
    clientId: valueOf('PAYPAL_CLIENT_ID'),
    clientSecret: valueOf('PAYPAL_CLIENT_SECRET'),
    planId: valueOf('PAYPAL_PLAN_ID'),
    webhookId: valueOf('PAYPAL_WEBHOOK_ID'),
    baseUrl: (baseUrl ?? 'https://api-m.paypal.com').replace(/\/+$/, ''),
  };
}

function readOidc(read: Read): OidcConfig | undefined {
  const issuer = read('OIDC_ISSUER');
  const clientId = read('OIDC_CLIENT_ID');
  const clientSecret = read('OIDC_CLIENT_SECRET');
  const label = read('OIDC_LABEL');
  const emailDomains = read('OIDC_EMAIL_DOMAINS');
  if ([issuer, clientId, clientSecret, label, emailDomains].every((value) => value === undefined)) return undefined;
  const expected = 'a value, as other OIDC_ settings are set';
  if (issuer === undefined) throw new ConfigError('OIDC_ISSUER', expected);
  if (clientId === undefined) throw new ConfigError('OIDC_CLIENT_ID', expected);
  if (clientSecret === undefined) throw new ConfigError('OIDC_CLIENT_SECRET', expected);
  return { issuer, clientId, clientSecret, label: label ?? 'single sign-on', emailDomains: emailDomains ?? [] };
}

function readMetaApp(read: Read): MetaAppConfig | undefined {
  const dialogUrl = read('CLOUD_API_DIALOG_URL');
  const values = {
    CLOUD_API_APP_ID: read('CLOUD_API_APP_ID'),
    CLOUD_API_APP_SECRET: read('CLOUD_API_APP_SECRET'),
    CLOUD_API_CONFIGURATION_ID: read('CLOUD_API_CONFIGURATION_ID'),
    CLOUD_API_VERIFY_TOKEN: read('CLOUD_API_VERIFY_TOKEN'),
  };
  if ([dialogUrl, ...Object.values(values)].every((value) => value === undefined)) return undefined;
  const valueOf = allOf(values, "a value, as other settings of the operator's app are set");
  return {
    id: valueOf('CLOUD_API_APP_ID'),
    secret: valueOf('CLOUD_API_APP_SECRET'),
    configurationId: valueOf('CLOUD_API_CONFIGURATION_ID'),
    verifyToken: valueOf('CLOUD_API_VERIFY_TOKEN'),
    dialogUrl: (dialogUrl ?? 'https://www.facebook.com').replace(/\/+$/, ''),
  };
}

/** The values of settings that come together. Throws `ConfigError` for the one that is missing. */
const allOf =
  <Name extends SettingName>(values: Readonly<Record<Name, string | undefined>>, expected: string) =>
  (name: Name): string => {
    const value = values[name];
    if (value === undefined) throw new ConfigError(name, expected);
    return value;
  };

function readS3(read: Read): S3Config | undefined {
  const endpoint = read('S3_ENDPOINT');
  const values = {
    S3_BUCKET: read('S3_BUCKET'),
    S3_ACCESS_KEY_ID: read('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: read('S3_SECRET_ACCESS_KEY'),
  };
  if (endpoint === undefined) {
    const set = Object.entries(values).find(([, value]) => value !== undefined);
    if (set) throw new ConfigError('S3_ENDPOINT', `a value beside ${set[0]}`);
    return undefined;
  }
  const valueOf = allOf(values, 'a value beside S3_ENDPOINT');
  return {
    endpoint,
    bucket: valueOf('S3_BUCKET'),
    region: read('S3_REGION') ?? 'us-east-1',
    accessKeyId: valueOf('S3_ACCESS_KEY_ID'),
    secretAccessKey: valueOf('S3_SECRET_ACCESS_KEY'),
  };
}

function readMetrics(read: Read): Config['metrics'] {
  const metricsPort = read('METRICS_PORT');
  const metricsHost = read('METRICS_HOST');
  if (metricsPort !== undefined) return { host: metricsHost ?? '127.0.0.1', port: metricsPort };
  if (metricsHost !== undefined) throw new ConfigError('METRICS_PORT', `${port.expected} beside METRICS_HOST`);
  return undefined;
}

/** Whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
