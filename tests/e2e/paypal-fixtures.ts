import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '#server/application.ts';
import type { Application } from '#server/application.ts';
import { parseConfig } from '#server/config.ts';
import { reconcileSubscriptions } from '#server/modules/identity/billing/index.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { createLogger } from '#server/platform/logger.ts';
import { PayPalStandIn } from '#tests/paypal/stand-in.ts';
import type { Subscription } from '#tests/paypal/subscription.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import type { ReceivedMail } from '#tests/support/smtp-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { test as base } from './fixtures.ts';

/** The product that takes money through the stand-in for PayPal, both by one clock that a test moves on. */
export type PaidProduct = {
  url: string;
  paypal: PayPalStandIn;
  now(): Date;
  /** PayPal bills what falls due meanwhile and tells of it; then the product does what its own clock starts. */
  pass(ms: number): Promise<void>;
  /** The newest mail to an address with this subject; undefined while there is none. */
  mailTo(address: string, subject: string): ReceivedMail['email'] | undefined;
  /** The newest order in PayPal's state. */
  newestOrder(): Subscription;
};

const webDirectory = join(import.meta.dirname, '../../dist/web');
const logger = createLogger('fatal');

type WorkerFixtures = { paid: PaidProduct };

/** The product runs in the test's own process: nothing else could give it a clock. */
export const test = base.extend<object, WorkerFixtures>({
  paid: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-paypal-'));
      const clock = createTestClock();
      const paypal = await PayPalStandIn.listen({ clock });
      const smtp = await startSmtpStandIn();
      const database = await startEmbeddedPostgres({ dataDir, logger, settings: { fsync: 'off' } });
      await migrateDatabase(database.connectionString);
      const port = String(await freePort());
      const application = await startApplication({
        config: parseConfig({
          ...paypal.settings,
          PORT: port,
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          DATA_DIR: dataDir,
          SMTP_URL: smtp.url,
        }),
        connectionString: database.connectionString,
        secretKey: randomBytes(32),
        logger,
        clock,
        webDirectory,
      });
      paypal.notifyProduct(application.url);
      await use({
        url: application.ctx.config.publicUrl,
        paypal,
        now: clock.now,
        async pass(ms) {
          clock.advance(ms);
          await settle(application, paypal);
        },
        mailTo(address, subject) {
          return smtp.mails.findLast(({ to, email }) => to === address && email.subject === subject)?.email;
        },
        newestOrder() {
          const newest = [...paypal.ledger.subscriptions.values()].at(-1);
          if (newest === undefined) throw new Error('PayPal knows no order');
          return newest;
        },
      });
      await application.stop();
      await database.stop();
      await smtp[Symbol.asyncDispose]();
      await paypal.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ paid }, use) => use(paid.url),
});

async function settle({ ctx }: Application, paypal: PayPalStandIn): Promise<void> {
  paypal.ledger.runDue();
  await paypal.notifications.whenDelivered();
  await reconcileSubscriptions(ctx);
}

export { expect } from '@playwright/test';
