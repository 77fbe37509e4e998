import { expect, onTestFinished, test } from 'vitest';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { sendMessage } from '#contracts/messages.ts';
import { linkPhone } from './chaos/link-phone.ts';
import { startTestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startRelay } from './support/relay.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

const own = '5511900000700';
/** Longer than an interruption stays unseen. */
const longMs = 4_000;

test('a phone that loses its connection while the database is away stays connected, and takes messages once that is back', async () => {
  const whatsApp = await WhatsAppStandIn.listen();
  onTestFinished(() => whatsApp.close());
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const relay = await startRelay(database.applicationConnectionString);
  const app = await startTestApplication({
    connectionString: relay.connectionString,
    env: { WHATSAPP_SOCKET_URL: whatsApp.url },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const { id: projectId, auth_key: key } = await makeProject(customer);
  await linkPhone(controlOf(whatsApp), api, { projectId, number: own });
  const phones = async () => (await api.call(listPhoneNumbers, { params: { projectId } })).body.data;
  const [before] = await phones();
  const send = async () => {
    const response = await fetch(app.url + sendMessage.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': key, prefer: 'respond-async' },
      body: JSON.stringify({ to: '5511977771234', message: 'Hello' }),
    });
    return `${response.status} ${await response.text()}`;
  };

  relay.goAway();
  const awaySince = performance.now();
  whatsApp.kick(own, 'drop');
  await expect.poll(() => performance.now() - awaySince).toBeGreaterThan(longMs);
  expect(await send()).toMatch(/^503 .*database_unavailable/);
  relay.recover();

  const answers: string[] = [];
  const attempt = async () => answers.push(await send()) && answers.at(-1);
  await expect.poll(attempt, { interval: 20 }).toMatch(/^202 /);
  await expect.poll(() => whatsApp.isConnected(own)).toBe(true);
  await expect.poll(() => whatsApp.contact('5511977771234').texts.length).toBe(1);
  expect(answers.filter((answer) => !/^(202|503) /.test(answer))).toEqual([]);
  const [after] = await phones();
  expect(after).toMatchObject({ status: 'connected', connected_at: before?.connected_at });
});
