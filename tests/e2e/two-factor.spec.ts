import { Secret, TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** The code of the app's next step: the one of now has been used. */
const nextCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 });

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function logOut(page: Page): Promise<void> {
  // On a page without the app, which keeps the session again with an answer that is still under way.
  await page.goto('/docs/keys');
  await page.evaluate(() => localStorage.clear());
}

test('an authenticator app is set up, asked for at sign-in, and removed once it is clear who asks', async ({
  page,
  product,
}) => {
  const person = await signUpSubscriber(product.url);
  await signIn(page, person);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/settings/security');
  const card = page.locator('#two-factor');
  await card.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  const secret = await dialog.getByLabel('Or type this key').inputValue();
  await expectAccessible(page, 'the dialog that sets up an app');
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('This code is not valid')).toBeVisible();
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('Keep these recovery codes')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const [recoveryCode = ''] = await dialog.getByRole('listitem').allTextContents();
  await expectAccessible(page, 'the recovery codes');
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(card.getByText('10 of 10 left.')).toBeVisible();

  await logOut(page);
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Type your code' })).toBeVisible();
  await expectAccessible(page, 'the second step of a sign-in');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await expect(page.getByText('This code is no longer valid.')).toBeVisible();
  await page.getByLabel('Do not ask on this device for 30 days').check();
  await page.getByLabel('Code', { exact: true }).fill(nextCode(secret));
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();

  await logOut(page);
  await signIn(page, person);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/settings/security');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await card.scrollIntoViewIfNeeded();
    await expectAccessible(page, `the two-step sign-in at ${width} pixels`);
  }
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await question.getByLabel('Code', { exact: true }).fill(recoveryCode);
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(card.getByText('Not set up')).toBeVisible();
});
