import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { login, regenerateApiKey, SignedIn, updateEmail, updatePassword } from '#contracts/accounts.ts';
import { rotateAuthKey, rotateWebhookSecret } from '#contracts/projects.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';

test('no token, key, password, address or text of a message reaches the log, whatever is asked', async () => {
  let log = '';
  await using app = await startTestApplication({ logger: createLogger('trace', { write: (line) => (log += line) }) });
  const customer = await signUpSubscriber(app.url);
  const { api, email, password } = customer;
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook-canary');
  await connectSandboxPhone(customer, project.id);
  const send = (text: string) =>
    fetch(`${app.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: text,
    });
  expect((await send(JSON.stringify({ to: '14155550123', message: 'text-canary' }))).status).toBe(200);
  expect((await send('{"message":"text-canary')).status).toBe(400);
  await api.call(createProfile, { body: { phone: '14155550199', name: 'name-canary' } });
  await api.refuse(createProfile, { body: { phone: '14155550199', name: 'name-canary' } });
  await createApiClient(app.url).refuse(login, { body: { email, password: 'wrong-canary' } });
  const again = SignedIn.parse((await createApiClient(app.url).call(login, { body: { email, password } })).body);
  const newPassword = 'a password-canary';
  await api.call(updatePassword, { body: { currentPassword: password, newPassword } });
  await api.call(updateEmail, { body: { email: `address-canary-${email}` } });
  const { body: key } = await api.call(regenerateApiKey);
  const params = { projectId: project.id };
  const { body: withKey } = await api.call(rotateAuthKey, { params, body: {} });
  const { body: withSecret } = await api.call(rotateWebhookSecret, { params, body: {} });

  expect(log).toContain('security event');
  const secrets = [customer.token, customer.apiKey, again.token, key.api_key, password, newPassword, email].concat(
    [project, withKey, withSecret].flatMap(({ auth_key, webhook_secret }) => [auth_key ?? '', webhook_secret ?? '']),
  );
  expect([...secrets, '-canary'].filter((secret) => log.includes(secret))).toEqual([]);
});

test.each([
  ['the start', 'server/entry/serve.ts'],
  ['keys:rotate', 'server/entry/rotate-keys.ts'],
] as const)(
  'with another SECRET_KEY than what is stored was encrypted with, %s stops with one line',
  async (_name, script) => {
    await using app = await startTestApplication({ env: { ROLES: 'api' } });
    await signUpSubscriber(app.url);
    const server = spawn(process.execPath, [script], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        LOG_LEVEL: 'silent',
        DATABASE_URL: app.ownerConnectionString,
        SECRET_KEY: randomBytes(32).toString('base64'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    server.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const [exitCode] = await once(server, 'close');
    expect(exitCode).toBe(1);
    expect(said).toMatch(/^SECRET_KEY: [^\n]+\n$/);
  },
);
