import type { Page } from '@playwright/test';
import { listMessages } from '#contracts/messages.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const refusal = 'You are offline. Nothing was done; try again once you are back.';
const bannerOf = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('offline, sending and deleting fail at once, and nothing happens by itself later', async ({
  page,
  product,
  context,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await customer.api.call(createProfile, { body: { phone: '+1 415 555 2671', name: 'Ada' } });
  await signInAs(page, '/', customer);
  await page.getByLabel('Recipient').fill('14155550123');
  await page.getByLabel('Message', { exact: true }).fill('Hi');
  await context.setOffline(true);
  const send = page.getByRole('button', { name: 'Send Message' });
  await send.click();
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(send).toBeEnabled();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Hi');
  await context.setOffline(false);
  await expect(bannerOf(page, 'You are offline.')).toHaveCount(0);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profiles' }).click();
  await page
    .getByRole('button', { name: /Delete/ })
    .first()
    .click();
  // The refusal of the send is gone, so that the next one is the deletion's.
  await expect(page.getByText(refusal)).toHaveCount(0);
  await context.setOffline(true);
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(question.getByRole('button', { name: 'Delete' })).toBeEnabled();
  await context.setOffline(false);
  await expect(bannerOf(page, 'You are offline.')).toHaveCount(0);
  // The reload comes after the requests made on reconnection; a deletion that had waited would show here.
  await page.reload();
  await expect(page.getByRole('link', { name: 'Ada' })).toBeVisible();
  expect((await customer.api.call(listProfiles, { query: {} })).body.total).toBe(1);
  const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query: {} });
  expect(body.total).toBe(0);
});

test('a menu click while offline keeps the shell, and the page opens once the connection is back', async ({
  page,
  product,
  context,
  pageErrors,
}) => {
  await signInAs(page, '/', await signUpSubscriber(product.url));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await expect(bannerOf(page, 'You are offline.')).toBeInViewport({ ratio: 1 });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Segments' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(page.getByText('The page opens by itself once you are back.')).toBeVisible();
  await expect(menu).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(menu).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Segments', level: 1 })).toBeVisible();
  pageErrors.length = 0;
});

test('with the server gone one banner says so, a menu click keeps the shell, and both pass when it is back', async ({
  page,
  product,
  pageErrors,
}) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/projects', customer);
  await expect(page.getByText('Get started by creating a new project.')).toBeVisible();
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Flows' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(bannerOf(page, 'Dovepost cannot be reached. Trying again…')).toHaveCount(1);
  await expect(bannerOf(page, 'Dovepost cannot be reached. Trying again…')).toBeInViewport({ ratio: 1 });
  await expect(menu).toBeVisible();
  await page.unroute('**/*');
  await expect(bannerOf(page, 'Dovepost cannot be reached.')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Flows', level: 1 })).toBeVisible();
  pageErrors.length = 0;
});
