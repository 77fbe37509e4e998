import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { linkPhone } from './chaos/link-phone.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';

const number = '5511900000811';

test('a phone that an operator takes from a living process leaves it before another connects it, and sends on', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const whatsApp = await WhatsAppStandIn.listen();
  onTestFinished(() => whatsApp.close());
  const settings = { DATABASE_URL: database.connectionString, SECRET_KEY: randomBytes(32).toString('base64') };
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-released-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    const env = { ...settings, DATA_DIR: dataDir };
    const product = await startProduct({ env, whatsAppUrl: whatsApp.url, hasShortLeases: true });
    onTestFinished(() => (product.hasExited() ? undefined : product.kill()));
    return { product, owner: await readFile(join(dataDir, 'worker-id'), 'utf8') };
  };
  const [one] = await Promise.all([start(), start()]);
  const customer = await signUpSubscriber(one.product.url);
  const project = await makeProject(customer);
  await linkPhone(controlOf(whatsApp), customer.api, { projectId: project.id, number });
  const lease = async () =>
    (await database.pool.query<{ owner: string; token: number }>('select owner, token from phone_leases')).rows[0];
  const before = await lease();
  let sent = 0;
  const send = async () => {
    const response = await fetch(one.product.url + sendMessage.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: JSON.stringify({ to: String(5_511_977_780_000 + (sent += 1)), message: 'Hello' }),
    });
    return response.status;
  };
  expect(await send()).toBe(200);
  const { logins } = whatsApp.stats();
  await promisify(execFile)(process.execPath, ['server/entry/admin.ts', 'phones', 'release', number], {
    env: { ...process.env, ...settings, DATA_DIR: join(tmpdir(), 'dovepost-released-none') },
  });
  await expect.poll(async () => (await lease())?.token).toBeGreaterThan((before?.token ?? 0) + 1);
  for (let n = 0; n < 5; n += 1) expect([200, 202]).toContain(await send());
  await expect.poll(() => whatsApp.stats().logins).toBe(logins + 1);
  await expect.poll(() => whatsApp.isConnected(number)).toBe(true);
  expect(whatsApp.stats().takeovers).toBe(0);
  const states = "select count(*)::int as n from webhook_records where type = 'phone.disconnected'";
  expect((await database.pool.query(states)).rows).toEqual([{ n: 0 }]);
  const waiting = "select count(*)::int as n from messages where status not in ('sent', 'delivered', 'read')";
  await expect.poll(async () => (await database.pool.query(waiting)).rows).toEqual([{ n: 0 }]);
}, 300_000);
