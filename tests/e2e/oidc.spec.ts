import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { startApplication } from '#server/application.ts';
import { parseConfig } from '#server/config.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { subscribe } from '#tests/support/customer.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startIdentityProvider } from '#tests/support/identity-provider.ts';
import type { IdentityProviderStandIn } from '#tests/support/identity-provider.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import type { TestClock } from '#tests/support/test-clock.ts';
import { expectAccessible } from './axe.ts';

type Scene = { url: string; provider: IdentityProviderStandIn; clock: TestClock };

/** In the test's own process: nothing else could give the product a clock. */
const test = base.extend<object, { scene: Scene }>({
  scene: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-oidc-'));
      const clock = createTestClock();
      const logger = createLogger('fatal');
      const database = await startEmbeddedPostgres({ dataDir, logger, settings: { fsync: 'off' } });
      await migrateDatabase(database.connectionString);
      const port = String(await freePort());
      // Another host than the provider's, as in the world: cookies of one do not go to the other.
      const url = `http://localhost:${port}`;
      const provider = await startIdentityProvider(`${url}/login/callback`);
      const application = await startApplication({
        config: parseConfig({ PORT: port, PUBLIC_URL: url, DATA_DIR: dataDir, ...provider.env }),
        connectionString: database.connectionString,
        secretKey: randomBytes(32),
        logger,
        clock,
        webDirectory: join(import.meta.dirname, '../../dist/web'),
      });
      await use({ url, provider, clock });
      await application.stop();
      await database.stop();
      await provider.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ scene }, use) => use(scene.url),
});

test('somebody signs in with the identity provider, and shows there again who they are before a sensitive act', async ({
  page,
  scene: { url, provider, clock },
}) => {
  provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' });
  provider.people.set('eve', { email: 'eve@example.com', email_verified: false, name: 'Eve' });

  provider.expect('eve');
  await page.goto('/login');
  await expectAccessible(page, 'the sign-in with a provider');
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await expect(page.getByText('Example ID does not say that your email address is verified.')).toBeVisible();
  await expectAccessible(page, 'a sign-in at the provider that was refused');
  await page.context().clearCookies();

  provider.expect('grace');
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await expect(page).toHaveURL(/\/subscription$/);
  const stored = await page.evaluate(() => localStorage.getItem('dovepost.session'));
  const { token } = JSON.parse(stored ?? '{}') as { token: string };
  const api = createApiClient(url, { authorization: token });
  await subscribe({ id: 0, email: '', password: '', token, apiKey: '', api });

  await page.goto('/settings');
  await expect(page.getByText('Example ID signs you in')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mail me a link to set one' })).toBeVisible();

  clock.advance(16 * 60_000);
  await page.goto('/settings/security');
  await page.locator('#two-factor').getByRole('button', { name: 'Set up' }).click();
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(question.getByRole('button', { name: 'Confirm with Example ID' })).toBeVisible();
  await expect(question.getByLabel('Password')).toHaveCount(0);
  const opened = page.waitForEvent('popup');
  await question.getByRole('button', { name: 'Confirm with Example ID' }).click();
  await opened;
  await expect(page.getByRole('dialog').getByLabel('Or type this key')).toBeVisible();
});
