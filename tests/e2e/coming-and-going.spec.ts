import { login, logout } from '#contracts/accounts.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { makeProject, signUp, signUpSubscriber, type Customer } from '#tests/support/customer.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

async function signIn(page: Page, { email, password }: Customer): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('after signing in, a visitor comes to the page that was asked for', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await page.goto('/profiles?search=ada');
  await expect(page).toHaveURL('/login');
  await signIn(page, customer);
  await expect(page).toHaveURL('/profiles?search=ada');
});

test('an address that looks like another site leads nowhere after sign-in but here', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await page.goto('/login');
  await page.evaluate(() => sessionStorage.setItem('dovepost.return-path', '//evil.example/profiles'));
  await signIn(page, customer);
  await expect(page).toHaveURL('/');
});

test('a session that ends elsewhere takes the loaded file with it', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/bulk-send', customer);
  const contacts = Buffer.from('country_code,phone,name\n1,4155550123,Ada');
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: contacts };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByText('Loaded 1 rows')).toBeVisible();
  const kept = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await kept()).toHaveLength(1);
  // The page learns it by itself, since its stream of news ends.
  await customer.api.call(logout);
  await expect(page).toHaveURL('/login');
  await expect.poll(kept).toEqual([]);
});

test("the browser's Back asks before it takes a form with it in which something was typed", async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/', customer);
  // Forms that keep drafts ask nothing.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Change Email' }).click();
  const email = page.getByRole('dialog').getByLabel('Email', { exact: true });
  await email.fill('ada@example.com');
  await page.goBack();
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL('/settings');
  await expect(email).toHaveValue('ada@example.com');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/');

  // A saved form asks nothing on leaving.
  await page.getByRole('link', { name: 'Profiles' }).click();
  await page.getByRole('button', { name: 'New Profile' }).first().click();
  await page.getByLabel('Phone').fill('+14155552671');
  await page.getByRole('button', { name: 'Create Profile' }).click();
  await expect(page.getByText('Profile created')).toBeVisible();
  await expect(page).toHaveURL('/profiles');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test('a page past the end leads to the last one', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(createProfile, { body: { phone: '+1 415 555 2671', name: 'Ada' } });
  await signInAs(page, '/profiles?page=9999', customer);
  await expect(page.getByRole('link', { name: 'Ada' })).toBeVisible();
  await expect(page).toHaveURL('/profiles');
  await expect(page.getByText('Page 1 of 1')).toBeVisible();
});

test('a missing project says that it does not exist', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  for (const path of [
    `/projects/${project.id + 1_000_000}`,
    '/projects/nonsense',
    '/projects/99999999/phone-numbers',
  ]) {
    await signInAs(page, path, customer);
    await expect(page.getByText('Project not found.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
});

test("'View all messages' lands on the messages", async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await makeProject(customer);
  await page.addInitScript((key) => localStorage.setItem(key, 'closed'), `dovepost.first-steps.${customer.id}`);
  await signInAs(page, '/', customer);
  const link = page.getByRole('link', { name: 'View all messages' });
  await link.click();
  await expect(page).toHaveURL(/#messages$/);
  await expect(page.getByRole('heading', { name: 'Messages Records' })).toBeInViewport();
});

test('an account without a plan sees where it is signed in, and ends a session there', async ({ page, product }) => {
  const customer = await signUp(product.url);
  const { email, password } = customer;
  await createApiClient(product.url).call(login, { body: { email, password } });
  await signInAs(page, '/settings', customer);
  await expect(page).toHaveURL('/subscription');
  const card = page.getByRole('region', { name: 'Signed in' });
  const ways = card.getByRole('button', { name: /^Sign out (?!everywhere)/ });
  await expect(ways).toHaveCount(1);
  await ways.click();
  await expect(page.getByText('Signed out there')).toBeVisible();
  await expect(ways).toHaveCount(0);
});
