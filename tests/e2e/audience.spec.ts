import { track } from '#contracts/events.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('from a file of contacts to a segment of them', async ({ page, product }) => {
  test.setTimeout(90_000);
  await signInAs(page, '/profiles', await signUpSubscriber(product.url));
  await page.getByRole('button', { name: 'New Profile' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone', { exact: true }).fill('+1 (415) 555-2671');
  await dialog.getByLabel('Name').fill('Maria Silva');
  await dialog.getByRole('button', { name: 'JSON' }).click();
  await dialog.getByRole('textbox', { name: 'Custom fields' }).fill('{"installed": true');
  await dialog.getByRole('button', { name: /create/i }).click();
  await expect(dialog.getByRole('textbox', { name: 'Custom fields' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'Custom fields' }).fill('{"installed": true}');
  await dialog.getByRole('button', { name: /create/i }).click();
  await expect(page.getByText('Profile created')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Maria Silva' })).toContainText('+1 415 555 2671');

  await page.goto('/profiles/import');
  const file = 'phone,name,installed\n+14155552672,João Souza,true\n+14155552673,Ana Lima,false\n123,Nobody,true\n';
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: /check/i }).click();
  await page.getByRole('button', { name: /^import/i }).click();
  await expect(page.getByText(/imported|done|finished/i).first()).toBeVisible();

  await page.goto('/segments');
  await expect(page.getByText('No segments yet. Create your first one.')).toBeVisible();
  await page.getByRole('button', { name: 'New Segment' }).first().click();
  await expect(dialog.getByText('Preview available after saving')).toBeVisible();
  await dialog.getByLabel('Name').fill('Installed users');
  await dialog.getByLabel('Field Path').fill('custom_fields.installed');
  await dialog.getByLabel('Value').fill('true');
  await dialog.getByRole('button', { name: 'Create Segment' }).click();
  await expect(page.getByText('Segment created')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Installed users' });
  await expect(row).toContainText('2');

  await row
    .getByRole('button', { name: /edit|actions/i })
    .first()
    .click();
  const menuItem = page.getByRole('menuitem', { name: 'Edit' });
  if (await menuItem.isVisible()) await menuItem.click();
  await expect(dialog.getByText('Matches 2 profiles')).toBeVisible();
  await expect(dialog.getByText('+1 4155552672 — João Souza')).toBeVisible();
});

test('an event leads to a segment of whom it happened to, and back', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(track, {
    body: { phone: '+14155552671', event: 'Order placed', properties: { total: 64 } },
  });
  await signInAs(page, '/events', customer);
  await page.getByRole('button', { name: /^Order placed/ }).click();
  await page.getByRole('link', { name: 'Segment from it' }).click();
  const builder = page.getByRole('main');
  await expect(builder.getByRole('combobox', { name: 'Event' })).toHaveValue('Order placed');
  await builder.getByRole('button', { name: 'Property' }).click();
  await expect(builder.getByRole('combobox', { name: 'Property' })).toHaveValue('properties.total');
  await page.goBack();
  await expect(page.getByText('number, in 100 %')).toBeVisible();
});
