import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { CloudApiStandIn } from '#tests/cloud-api/stand-in.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { startWebhookReceiver } from '#tests/webhook-receiver.ts';
import type { WebhookReceiver } from '#tests/webhook-receiver.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInProcess } from '#tests/whatsapp/client.ts';

type WorkerFixtures = { whatsApp: StandInProcess; meta: CloudApiStandIn; product: Product };
type TestFixtures = { receiver: WebhookReceiver; pageErrors: string[] };

/** The product as `npm start` runs it, over the stand-in for WhatsApp, one of each for all tests. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  whatsApp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
    async ({}, use) => {
      const whatsApp = await startStandIn();
      await use(whatsApp);
      await whatsApp.stop();
    },
    { scope: 'worker' },
  ],
  meta: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
    async ({}, use) => {
      const meta = await CloudApiStandIn.listen();
      await use(meta);
      await meta.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ whatsApp, meta }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-e2e-'));
      const product = await startProduct({ env: { DATA_DIR: dataDir, ...meta.settings }, whatsAppUrl: whatsApp.url });
      await use(product);
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
  receiver: async ({}, use) => {
    const receiver = await startWebhookReceiver();
    await use(receiver);
    await receiver[Symbol.asyncDispose]();
  },
  // Every test fails on what a developer would see red in the console.
  pageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          errors.push(message.text());
        }
      });
      await use(errors);
      if (errors.length > 0) throw new Error(`The page reported errors:\n${errors.join('\n')}`);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
