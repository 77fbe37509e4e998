import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { signInAs } from './session.ts';

/** A product whose operator has an app at Meta, beside the one of the other tests. */
const test = base.extend({
  product: [
    async ({ meta }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-sign-up-'));
      const product = await startProduct({ env: { DATA_DIR: dataDir, ...meta.operatorSettings } });
      meta.signUps.redirectUris.add(`${product.url}/official-sign-up`);
      await use(product);
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

async function openForm(page: Page, url: string): Promise<void> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await signInAs(page, `/projects/${project.id}/phone-numbers/connect`, customer);
  await page.getByRole('button', { name: 'Connect it' }).click();
}

/** The window of Meta, as the button opens it. */
async function openDialog(page: Page, button = 'Continue with Meta'): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = await opened;
  await expect(dialog.getByRole('heading', { name: 'Share with the app' })).toBeVisible();
  return dialog;
}

test('a number is connected in a window of Meta, and its access replaced the same way', async ({
  page,
  product,
  meta,
}) => {
  Object.assign(meta.number, { isRegistered: false, pin: '246810', registerCalls: 0 });
  await openForm(page, product.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await expect(page.getByRole('button', { name: 'Continue with Meta' })).toBeVisible();
  await expectAccessible(page, 'the sign-up at Meta');
  await page.getByLabel('Name (Optional)').fill('Larkspur UK');
  await page.getByLabel('Two-step PIN (Optional)').fill('12');
  await page.getByRole('button', { name: 'Continue with Meta' }).click();
  await expect(page.getByText('Enter the six digits')).toBeVisible();
  await page.getByLabel('Two-step PIN (Optional)').fill('246810');
  const dialog = await openDialog(page);
  await expect(page.getByText("Waiting for Meta's window")).toBeVisible();
  const closed = dialog.waitForEvent('close');
  await dialog.getByRole('button', { name: 'Finish' }).click();
  await closed;

  await expect(page.getByRole('heading', { name: 'Larkspur UK' })).toBeVisible();
  await expect(page.getByText('Number is registered', { exact: true })).toBeVisible();
  await expect(page.getByText('App is subscribed', { exact: true })).toBeVisible();
  await expect(page.getByText('Callback URL')).toHaveCount(0);
  expect(new Set(asked)).toEqual(new Set([product.url]));
  await meta.webhooks.configure(`${product.url}/hooks/whatsapp`, meta.verifyToken);
  meta.receiveText('4915112345678', 'Hello');
  await expect(page.getByText(/Last webhook/)).toBeVisible();
  await expectAccessible(page, 'the page of a number that signed up');

  const before = meta.signUps.tokens.size;
  const again = await openDialog(page, 'Continue with Meta again');
  await again.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('Access replaced')).toBeVisible();
  expect(meta.signUps.tokens.size).toBe(before + 1);
});

test('a number that stays in the Business app is connected without ids that the browser knows of', async ({
  page,
  product,
  meta,
}) => {
  Object.assign(meta.number, { isRegistered: false, registerCalls: 0, handedOver: [] });
  meta.signUps.tellsIds = false;
  await openForm(page, product.url);
  await page.getByLabel('Keep using the number in the WhatsApp Business app').check();
  await expect(page.getByLabel('Two-step PIN (Optional)')).toHaveCount(0);
  const dialog = await openDialog(page);
  await dialog.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('The number stays in the WhatsApp Business app')).toBeVisible();
  await expect.poll(() => meta.number.handedOver).toEqual(['smb_app_state_sync', 'history']);
  expect(meta.number.registerCalls).toBe(0);
  Object.assign(meta.number, { isShared: false, isRegistered: true });
  meta.signUps.tellsIds = true;
});

test('a window that is left, refused or out of date says so, and the next one counts', async ({
  page,
  product,
  meta,
}) => {
  Object.assign(meta.number, { isRegistered: true });
  await openForm(page, product.url);
  const left = await openDialog(page);
  await left.getByRole('button', { name: 'Leave' }).click();
  await expect(
    page.getByText('You left Meta as it asked for the phone number, so nothing was connected.'),
  ).toBeVisible();
  const refused = await openDialog(page);
  await expect(page.getByText('so nothing was connected')).toHaveCount(0);
  await refused.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You left Meta before it was finished, so nothing was connected.')).toBeVisible();
  const shut = await openDialog(page);
  await shut.close();
  await expect(page.getByText('You left Meta before it was finished, so nothing was connected.')).toBeVisible();

  meta.signUps.sharedAccounts = [];
  const empty = await openDialog(page);
  await empty.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText(/Meta shared no WhatsApp Business Account/)).toBeVisible();
  meta.signUps.sharedAccounts = [meta.account.id];
  await page.getByRole('button', { name: 'Use an app of your own' }).click();
  await expect(page.getByLabel('App secret')).toBeVisible();
});
