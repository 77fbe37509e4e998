import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<object, { product: Product }>({
  product: [
    async ({ whatsApp }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-trial-'));
      const product = await startProduct({ env: { DATA_DIR: dataDir, TRIAL_DAYS: '7' }, whatsAppUrl: whatsApp.url });
      await use(product);
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('on a trial a newcomer sends in the sandbox before paying, and is told until when and what is left out', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Maya Okafor');
  await page.getByRole('textbox', { name: 'Email' }).fill('maya@trial.example');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery 9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText(/^You are trying Dovepost until \d+ \w+ \d{4}$/)).toBeVisible();
  await expect(page.getByText('Sandbox numbers do everything but deliver.')).toBeVisible();

  await page.getByRole('link', { name: 'Create project' }).click();
  await page.getByRole('textbox', { name: 'Project Name' }).fill('Larkspur Store');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(page).toHaveURL('/projects');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const steps = page.getByRole('region', { name: 'Get started' });
  await expect(steps).toContainText('WhatsApp comes with a plan.');

  await steps.getByRole('link', { name: 'Connect WhatsApp' }).click();
  for (const name of ['Scan a QR code', 'Official WhatsApp API']) {
    const way = page.getByRole('article', { name });
    await expect(way).toContainText('Not part of the trial');
    await expect(way.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/subscription');
    await expect(way.getByRole('button')).toHaveCount(0);
  }
  await expectAccessible(page, 'the ways to connect on a trial');

  await page.goBack();
  await steps.getByRole('link', { name: 'Try the sandbox' }).click();
  await page.getByRole('button', { name: 'Create a sandbox' }).click();
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Sam’s handset' }).getByRole('log')).toContainText('your order 4821');
});
