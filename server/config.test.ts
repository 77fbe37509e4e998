import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, loadConfig, parseConfig } from './config.ts';

const key = Buffer.alloc(32, 7);
const paypal = {
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'hidden-secret',
  PAYPAL_PLAN_ID: 'P-1',
  PAYPAL_WEBHOOK_ID: 'W-1',
};

const metaApp = {
  CLOUD_API_APP_ID: '716455020931884',
  CLOUD_API_APP_SECRET: 'hidden-secret',
  CLOUD_API_CONFIGURATION_ID: '99887766554433',
  CLOUD_API_VERIFY_TOKEN: 'a-verify-token-of-ours',
};

function problemOf(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no problem';
}

test('an empty environment runs whole on one machine', () => {
  expect(parseConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    oldSecretKeys: [],
    directDatabaseUrl: undefined,
    databaseSchema: 'public',
    secretKey: undefined,
    roles: new Set(['api', 'worker']),
    payments: { provider: 'test' },
    mail: { smtpUrl: undefined, from: 'Dovepost <no-reply@localhost>' },
    whatsappSocketUrl: undefined,
    cloudApi: { baseUrl: 'https://graph.facebook.com', version: 'v25.0', app: undefined },
    areWebhooksToPrivateAddressesAllowed: false,
    messagesKeptDays: undefined,
    eventsKeptDays: 395,
    eventsQuotaBytes: 1024 ** 3,
    projectLimit: 1,
    trialDays: 0,
    signUp: 'open',
    storage: { minFreeBytes: 512 * 1024 * 1024, quotaBytes: 1024 * 1024 * 1024, mediaQuotaBytes: 10 * 1024 ** 3 },
    oidc: undefined,
    s3: undefined,
    logLevel: 'info',
    maxPhones: expect.any(Number),
    areAccountsMeasured: false,
    hasShadowEvaluator: false,
    lameDuckMs: 0,
    metrics: undefined,
    trustedProxies: [],
  });
});

test('every setting is read', () => {
  const env = {
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://post.example.com/',
    DATA_DIR: '/srv/dove post/ñ',
    DATABASE_URL: 'postgresql://user:word@db:5432/dovepost',
    DATABASE_DIRECT_URL: 'postgresql://user:word@db:5433/dovepost',
    DATABASE_SCHEMA: 'cell_b',
    MIGRATION_DATABASE_URL: 'postgresql://owner:word@db:5432/dovepost',
    SECRET_KEY: key.toString('base64'),
    ROLES: 'worker',
    ...paypal,
    PAYPAL_BASE_URL: 'https://api-m.sandbox.paypal.com/',
    SMTP_URL: 'smtps://mail.example.com',
    MAIL_FROM: 'post@example.com',
    WHATSAPP_SOCKET_URL: 'ws://127.0.0.1:1/ws',
    CLOUD_API_BASE_URL: 'http://127.0.0.1:2',
    CLOUD_API_VERSION: 'v26.0',
    ...metaApp,
    CLOUD_API_DIALOG_URL: 'https://dialog.example.com/',
    WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
    LOG_LEVEL: 'debug',
    METRICS_PORT: '9090',
    MIN_FREE_DISK_MIB: '1',
    UPLOAD_QUOTA_MIB: '2',
    MEDIA_QUOTA_MIB: '3',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'word',
    FFMPEG: process.execPath,
    MESSAGES_KEPT_DAYS: '400',
    EVENTS_KEPT_DAYS: '100',
    EVENTS_QUOTA_MIB: '2',
    PROJECT_LIMIT: '3',
    TRIAL_DAYS: '14',
    SIGN_UP: 'invited',
    OIDC_ISSUER: 'https://login.example.com/realms/staff',
    OIDC_CLIENT_ID: 'dovepost',
    OIDC_CLIENT_SECRET: 'word',
    OIDC_LABEL: 'Example ID',
    OIDC_EMAIL_DOMAINS: 'Example.com, example.org',
    TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
    MAX_PHONES: '300',
    METRICS_ACCOUNTS: 'true',
    SHADOW_EVALUATOR: 'true',
    LAME_DUCK_SECONDS: '5',
  };
  expect(parseConfig(env)).toEqual({
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://post.example.com',
    dataDir: '/srv/dove post/ñ',
    databaseUrl: 'postgresql://user:word@db:5432/dovepost',
    migrationDatabaseUrl: 'postgresql://owner:word@db:5432/dovepost',
    oldSecretKeys: [],
    directDatabaseUrl: 'postgresql://user:word@db:5433/dovepost',
    databaseSchema: 'cell_b',
    secretKey: key,
    roles: new Set(['worker']),
    payments: {
      provider: 'paypal',
      paypal: {
        clientId: 'client',
        clientSecret: 'hidden-secret',
        planId: 'P-1',
        webhookId: 'W-1',
        baseUrl: 'https://api-m.sandbox.paypal.com',
      },
    },
    mail: { smtpUrl: 'smtps://mail.example.com', from: 'post@example.com' },
    whatsappSocketUrl: 'ws://127.0.0.1:1/ws',
    cloudApi: {
      baseUrl: 'http://127.0.0.1:2',
      version: 'v26.0',
      app: {
        id: '716455020931884',
        secret: 'hidden-secret',
        configurationId: '99887766554433',
        verifyToken: 'a-verify-token-of-ours',
        dialogUrl: 'https://dialog.example.com',
      },
    },
    areWebhooksToPrivateAddressesAllowed: true,
    ffmpeg: process.execPath,
    messagesKeptDays: 400,
    eventsKeptDays: 100,
    eventsQuotaBytes: 2 * 1024 ** 2,
    projectLimit: 3,
    trialDays: 14,
    signUp: 'invited',
    storage: { minFreeBytes: 1024 * 1024, quotaBytes: 2 * 1024 * 1024, mediaQuotaBytes: 3 * 1024 * 1024 },
    oidc: {
      issuer: 'https://login.example.com/realms/staff',
      clientId: 'dovepost',
      clientSecret: 'word',
      label: 'Example ID',
      emailDomains: ['example.com', 'example.org'],
    },
    s3: {
      endpoint: 'https://s3.example.com',
      bucket: 'media',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'word',
    },
    logLevel: 'debug',
    maxPhones: 300,
    areAccountsMeasured: true,
    hasShadowEvaluator: true,
    lameDuckMs: 5_000,
    metrics: { host: '127.0.0.1', port: 9090 },
    trustedProxies: ['10.0.0.1', 'fd00::/8'],
  });
});

test('an empty value counts as not set', () => {
  const blank = Object.fromEntries(['PORT', 'DATABASE_URL', 'PAYPAL_PLAN_ID', 'ROLES'].map((name) => [name, ' ']));
  expect(parseConfig(blank)).toEqual(parseConfig({}));
});

test('the public address follows the port', () => {
  expect(parseConfig({ PORT: '4321' }).publicUrl).toBe('http://localhost:4321');
});

const long = (length: number) => Buffer.alloc(length).toString('base64');

test.each<[Record<string, string>, string]>([
  [{ PORT: 'abc' }, 'PORT: expected a whole number from 0 to 65535, got "abc"'],
  [{ PORT: '65536' }, 'PORT: expected a whole number from 0 to 65535, got "65536"'],
  [{ PORT: '-1' }, 'PORT: expected a whole number from 0 to 65535, got "-1"'],
  [{ PORT: '80.5' }, 'PORT: expected a whole number from 0 to 65535, got "80.5"'],
  [{ PORT: '1\n2' }, 'PORT: expected a whole number from 0 to 65535, got "1\\n2"'],
  [{ HOST: 'a b' }, 'HOST: expected a host name or an IP address, got "a b"'],
  [
    { PUBLIC_URL: 'post.example.com' },
    'PUBLIC_URL: expected an http or https address without a path, got "post.example.com"',
  ],
  [{ PUBLIC_URL: 'ftp://a.b' }, 'PUBLIC_URL: expected an http or https address without a path, got "ftp://a.b"'],
  [
    { PUBLIC_URL: 'http://localhost/x' },
    'PUBLIC_URL: expected an http or https address without a path, got "http://localhost/x"',
  ],
  ...['mysql://root:hidden@h/d', 'postgresql://root:hid/den@h/d'].map(
    (DATABASE_URL): [Record<string, string>, string] => [
      { DATABASE_URL },
      'DATABASE_URL: expected a postgresql:// address; a password in it has %25, %2F, %3F, %23 and %40 for %, /, ?, # and @',
    ],
  ),
  [{ DATABASE_URL: 'postgres://h/d' }, 'SECRET_KEY: expected 32 bytes in base64 beside DATABASE_URL'],
  [{ MIGRATION_DATABASE_URL: 'postgres://h/d' }, 'DATABASE_URL: expected a value beside MIGRATION_DATABASE_URL'],
  [
    { DATABASE_SCHEMA: 'Cell B' },
    'DATABASE_SCHEMA: expected a name of at most 30 small letters, digits and underscores that begins with no digit, and not with pg_, got "Cell B"',
  ],
  [
    { DATABASE_SCHEMA: 'pg_cell' },
    'DATABASE_SCHEMA: expected a name of at most 30 small letters, digits and underscores that begins with no digit, and not with pg_, got "pg_cell"',
  ],
  [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, 'DATABASE_URL: expected a value beside DATABASE_DIRECT_URL'],
  [{ SECRET_KEY: long(31) }, 'SECRET_KEY: expected 32 bytes in base64'],
  [
    { SECRET_KEYS: `${long(32)},x` },
    'SECRET_KEYS: expected earlier SECRET_KEYs, each 32 bytes in base64, separated by commas',
  ],
  [{ SECRET_KEY: long(33) }, 'SECRET_KEY: expected 32 bytes in base64'],
  [{ SECRET_KEY: '*'.repeat(44) }, 'SECRET_KEY: expected 32 bytes in base64'],
  [{ ROLES: 'api,web' }, 'ROLES: expected "api", "worker" or "api,worker", got "api,web"'],
  [{ ROLES: ',' }, 'ROLES: expected "api", "worker" or "api,worker", got ","'],
  [{ PAYMENTS: 'stripe' }, 'PAYMENTS: expected "paypal" or "test", got "stripe"'],
  [
    { ...paypal, PAYPAL_BASE_URL: 'http://paypal.example.com' },
    'PAYPAL_BASE_URL: expected an https address, or http on this machine, got "http://paypal.example.com"',
  ],
  [{ SMTP_URL: 'http://mail' }, 'SMTP_URL: expected an smtp:// or smtps:// address'],
  [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM: expected a mail address, got "nobody"'],
  [{ WHATSAPP_SOCKET_URL: 'http://a' }, 'WHATSAPP_SOCKET_URL: expected a ws or wss address, got "http://a"'],
  [{ CLOUD_API_BASE_URL: 'x' }, 'CLOUD_API_BASE_URL: expected an https address, or http on this machine, got "x"'],
  [{ CLOUD_API_VERSION: '25' }, 'CLOUD_API_VERSION: expected a version of Graph, such as v25.0, got "25"'],
  [
    { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'yes' },
    'WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: expected "true" or "false", got "yes"',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, got "loud"'],
  [{ METRICS_PORT: 'x' }, 'METRICS_PORT: expected a whole number from 0 to 65535, got "x"'],
  [{ METRICS_HOST: '::1' }, 'METRICS_PORT: expected a whole number from 0 to 65535 beside METRICS_HOST'],
  [
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    'TRUSTED_PROXIES: expected IP addresses or networks, separated by commas, got "10.0.0.0/33"',
  ],
])('%j is refused', (env, message) => {
  expect(problemOf(env)).toBe(message);
});

test.each(Object.keys(metaApp))("an operator's app at Meta without %s is refused", (name) => {
  const message = problemOf({ ...metaApp, [name]: '' });
  expect(message).toBe(`${name}: expected a value, as other settings of the operator's app are set`);
  expect(message).not.toContain('hidden-secret');
});

describe('payments', () => {
  test.each(Object.keys(paypal))('PayPal without %s is refused', (name) => {
    const message = problemOf({ ...paypal, [name]: '' });
    expect(message).toBe(`${name}: expected a value, as other PAYPAL_ settings are set`);
    expect(message).not.toContain('hidden-secret');
  });

  test('a PayPal address alone is refused', () => {
    expect(problemOf({ PAYPAL_BASE_URL: 'http://127.0.0.1:1' })).toMatch(/^PAYPAL_CLIENT_ID: /);
  });

  test('PAYMENTS=paypal needs PayPal', () => {
    expect(problemOf({ PAYMENTS: 'paypal' })).toBe('PAYPAL_CLIENT_ID: expected a value, as PAYMENTS is "paypal"');
  });

  test.each([
    ['http://localhost:3000', {}, 'test'],
    ['http://app.localhost', {}, 'test'],
    ['http://127.8.9.1', {}, 'test'],
    ['http://[::1]:80', {}, 'test'],
    ['http://localhost:3000', paypal, 'paypal'],
    ['https://example.com', paypal, 'paypal'],
    ['https://example.com', { PAYMENTS: 'test' }, 'test'],
    ['https://example.com', { ...paypal, PAYMENTS: 'test' }, 'test'],
  ])('%s with %j is %s', (publicUrl, env, provider) => {
    expect(parseConfig({ PUBLIC_URL: publicUrl, ...env }).payments.provider).toBe(provider);
  });

  test.each(['https://example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1'])(
    'test payments on %s must be asked for',
    (publicUrl) => {
      expect(problemOf({ PUBLIC_URL: publicUrl })).toBe(
        'PAYMENTS: expected "paypal" with the PAYPAL_ settings, or "test", as PUBLIC_URL is not this machine',
      );
    },
  );
});

test('an .env file is read below the environment', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dovepost-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, '.env'), '# comment\nMETRICS_PORT=9100\nPATH=/from/file\nMAIL_FROM="a b <c@d>"\n');
  const config = loadConfig(directory);
  expect(config.metrics?.port).toBe(9100);
  expect(config.mail.from).toBe('a b <c@d>');
  expect(process.env['PATH']).not.toBe('/from/file');
});
