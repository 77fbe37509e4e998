import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { getMessage, listMessages } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createApiClient } from './support/api-client.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';
import { scanPhone } from './support/scan-phone.ts';
import { startStandIn } from './whatsapp/client.ts';
import type { StandInProcess } from './whatsapp/client.ts';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const ownNumber = '5511900000100';

async function scene(): Promise<{ whatsApp: StandInProcess; dataDir: string; start(): Promise<Product> }> {
  const whatsApp = await startStandIn();
  cleanUp.push(whatsApp.stop);
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-crash-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
  return {
    whatsApp,
    dataDir,
    async start() {
      const product = await startProduct({ env: { DATA_DIR: dataDir }, whatsAppUrl: whatsApp.url });
      cleanUp.push(() => product.stop());
      return product;
    },
  };
}

/** Adds a WhatsApp phone and scans its code with the stand-in's handset. */
async function linkPhone({ api }: Customer, projectId: number, whatsApp: StandInProcess): Promise<number> {
  const phoneId = await scanPhone(whatsApp.control, api, { projectId, phone_number: ownNumber });
  await expect.poll(() => phoneStatus(api, projectId)).toBe('connected');
  return phoneId;
}

async function phoneStatus(api: Customer['api'], projectId: number): Promise<string | undefined> {
  const { body } = await api.call(listPhoneNumbers, { params: { projectId } });
  return body.data[0]?.status;
}

test('kill -9 with 50 messages in flight: each reaches its contact exactly once, and the phone is back', async () => {
  const { whatsApp, start } = await scene();
  const first = await start();
  const customer = await signUpSubscriber(first.url);
  const project = await makeProject(customer);
  await linkPhone(customer, project.id, whatsApp);
  // Some were taken whose ack never came, some never arrived: the product cannot know which.
  await whatsApp.control.answerMessages({ answer: 'lost' });
  await whatsApp.control.answerMessages({ answer: 'lost_ack', times: 15 });
  await whatsApp.control.answerMessages({ answer: 'ack', times: 10 });

  const numbers = Array.from({ length: 50 }, (_, index) => String(14_155_550_100 + index));
  const accepted = await Promise.all(
    numbers.map(async (to, index) => {
      const response = await fetch(`${first.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, prefer: 'respond-async' },
        body: JSON.stringify({ to, message: `Message ${index}` }),
      });
      expect(response.status).toBe(202);
      return (await response.json()) as Message;
    }),
  );
  await expect.poll(async () => (await whatsApp.control.stats()).taken).toBeGreaterThan(24);
  await first.kill();
  await whatsApp.control.answerMessagesNormally();

  const second = await start();
  const api = createApiClient(second.url, { authorization: customer.token });
  const settled = new Set(['delivered', 'read']);
  await expect
    .poll(async () => {
      const { body } = await api.call(listMessages, { params: { projectId: project.id }, query: { pageSize: 100 } });
      return body.data.filter(({ status }) => settled.has(status)).length;
    })
    .toBe(50);
  for (const [index, { id }] of accepted.entries()) {
    const { body: message } = await api.call(getMessage, { params: { messageId: id } });
    const contact = await whatsApp.control.readContact(message.to ?? '');
    expect(contact.texts).toMatchObject([{ text: `Message ${index}` }]);
    expect(new Set(contact.arrivals.map((arrival) => arrival.id)).size).toBe(1);
  }
  const { body: phones } = await api.call(listPhoneNumbers, { params: { projectId: project.id } });
  // Messages that may have gone out count, once.
  expect(phones.data).toMatchObject([{ status: 'connected', daily_message_count: 50 }]);
  expect(await second.stop()).toBe(0);
});
