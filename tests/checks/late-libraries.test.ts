import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Libraries of up to 60 MiB that many processes need late or never. */
const late = [
  'baileys',
  'undici',
  'nodemailer',
  'openid-client',
  '@zxcvbn-ts/language-common',
  'web-push',
  '@simplewebauthn/server',
  'sharp',
  'music-metadata',
  'file-type',
  'htmlparser2',
  'qrcode',
  'socks-proxy-agent',
  'https-proxy-agent',
  '@opentelemetry/sdk-trace',
];

const notingImports = `
  import { registerHooks } from 'node:module';
  const late = new Set(${JSON.stringify(late)});
  registerHooks({
    resolve(specifier, context, next) {
      if (late.has(specifier)) console.log(specifier, context.parentURL);
      return next(specifier, context);
    },
  });
`;

async function importsOf(file: string): Promise<string> {
  const hooks = `data:text/javascript,${encodeURIComponent(notingImports)}`;
  const given = ['--import', hooks, '--input-type=module', '--eval', `await import('./${file}')`];
  const root = join(import.meta.dirname, '../..');
  return (await promisify(execFile)(process.execPath, given, { cwd: root })).stdout;
}

test('a process starts without the libraries that it may never need', async () => {
  expect(await importsOf('server/serve.ts')).toBe('');
});

test('the check sees an import', async () => {
  expect(await importsOf('server/connectors/messaging/whatsapp/whatsapp-engine.ts')).toContain('baileys');
});
