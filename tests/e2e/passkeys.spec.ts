import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { invite } from '#contracts/team.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { signInAs } from './session.ts';

/** Passkeys belong to a host with a name: the product is opened as PUBLIC_URL says. */
const test = base.extend<object, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern.
    async ({}, use) => {
      const [dataDir, port] = [await mkdtemp(join(tmpdir(), 'dovepost-e2e-')), await freePort()];
      const product = await startProduct({ env: { DATA_DIR: dataDir, PORT: String(port) } });
      await use({ ...product, url: `http://localhost:${port}` });
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Chromium's own authenticator with a fingerprint, which is given as soon as it is asked for. */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  // A page without the app, which would store its session anew.
  await page.goto('/docs/keys');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a passkey is added, signs in alone and beside the password, and is removed once it shows who asks', async ({
  page,
  product,
}) => {
  const person = await signUpSubscriber(product.url);
  await plugIn(page);
  await signIn(page, person);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/settings/security');
  const card = page.locator('#passkeys');
  await expect(card.getByText('None yet.')).toBeVisible();
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await card.getByRole('button', { name: 'Rename Passkey 1' }).click();
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('button', { name: 'Rename Laptop' })).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `the security page at ${width} pixels`);
  }

  // On a page without the app, which keeps the session again with an answer that is still under way.
  await page.goto('/docs/keys');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Continue with a passkey' })).toBeVisible();
  await expectAccessible(page, 'the sign-in with a passkey');
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();

  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Show your passkey' })).toBeVisible();
  await expectAccessible(page, 'the second step with a passkey');
  await page.getByLabel('Do not ask on this device for 30 days').check();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();

  // The remembered browser proves nothing: removing asks for the passkey.
  await signIn(page, person);
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  await page.goto('/settings/security');
  await card.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Is it you?' }).getByRole('button', { name: 'Use a passkey' }).click();
  await expect(card.getByText('None yet.')).toBeVisible();
});

test('an account that asks everybody for a second factor lets nobody on without one', async ({ page, product }) => {
  const owner = await signUpSubscriber(product.url);
  await plugIn(page);
  await signInAs(page, '/settings/security', owner);
  const everybody = page.locator('#everybody');
  await everybody.getByRole('button', { name: 'Require' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require' }).click();
  await expect(page.getByText('Set up a second factor of your own first')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('#passkeys').getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'I have kept them' }).click();
  await everybody.getByRole('button', { name: 'Require' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require' }).click();
  await expect(everybody.getByText('A second factor is asked of everybody')).toBeVisible();
  // Without the factor the next page is the one that sets it up.
  await page.locator('#passkeys').getByRole('button', { name: 'Remove Passkey 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expectAccessible(page, 'the page that asks for a second factor');
  await page.goto('/profiles');
  await expect(page).toHaveURL('/second-factor');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('somebody who is invited joins with a passkey, without a password, and comes back with it', async ({
  page,
  product,
}) => {
  const owner = await signUpSubscriber(product.url);
  const email = `grace-${owner.id}@example.com`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'marketer' } });
  await plugIn(page);
  await page.goto(new URL(new URL(invitation.url).pathname, product.url).href);
  const joining = page.getByRole('button', { name: 'Join with a passkey' });
  await joining.click();
  await expect(page.getByText('Enter your name')).toBeVisible();
  await page.getByLabel('Your name').fill('Grace Hopper');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `an invitation with a passkey at ${width} pixels`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await joining.click();
  const codes = page.getByRole('dialog', { name: 'Keep these recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/settings/security');
  await expect(page.getByRole('heading', { name: 'Your sign-in is well protected' })).toBeVisible();

  // On a page without the app, which keeps the session again with an answer that is still under way.
  await page.goto('/docs');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Flows' })).toBeVisible();
});
