import { createTemplate, listTemplates } from '#contracts/saved-templates.ts';
import { createProfile } from '#contracts/profiles.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('a deleted template leaves the list at once and comes back by an undo; without it the server deletes it', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(createTemplate, { body: { name: 'Order ready', message: 'Your order is ready.' } });
  await signInAs(page, '/templates', customer);
  const name = page.getByRole('cell', { name: 'Order ready', exact: true });
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Order ready' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Template deleted')).toBeVisible();
    await expect(name).toBeHidden();
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone')).toBeVisible();
  await expect(name).toBeVisible();
  await remove();
  // The tab goes; the act is the server's.
  await page.goto('/docs');
  await expect.poll(async () => (await customer.api.call(listTemplates)).body.total, { timeout: 60_000 }).toBe(0);
});

test('a deleted profile is put back by an undo', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const { body: profile } = await customer.api.call(createProfile, { body: { phone: '14155550123', name: 'Ada' } });
  await signInAs(page, `/profiles/${profile.id}`, customer);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Profile deleted')).toBeVisible();
  await expect(page).toHaveURL('/profiles');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ada' })).toBeVisible();
});
