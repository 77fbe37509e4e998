import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test("the browser's Back undoes what was chosen in a list, and passes over what was typed", async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  for (let count = 0; count < 60; count += 1)
    await customer.api.call(createProfile, { body: { phone: `+1415555${2600 + count}`, name: `Ada ${count}` } });
  await signInAs(page, '/', customer);
  await page.getByRole('link', { name: 'Profiles' }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL('/profiles?page=2');
  await page.getByRole('button', { name: /^Name/ }).click();
  await expect(page).toHaveURL(/sort=name/);
  await page.getByLabel('Search profiles').fill('ada 5');
  await expect(page).toHaveURL(/search=ada/);
  await page.getByLabel('Search profiles').fill('ada 52');
  await expect(page.getByText('1 profile found')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/profiles?page=2');
  await expect(page.getByLabel('Search profiles')).toHaveValue('');
  await page.goForward();
  await expect(page.getByLabel('Search profiles')).toHaveValue('ada 52');
  await expect(page.getByText('1 profile found')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/profiles');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test("the browser's Back closes a drawer and a dialog, and does not open again what was closed", async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await fetch(`${product.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to: '14155550123', message: 'Your order is on its way' }),
  });
  await signInAs(page, '/', customer);
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  const openDrawer = page.getByRole('table').getByRole('button', { name: '+1 415 555 0123' });
  await openDrawer.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy Message' })).toBeVisible();
  await expectAccessible(page, 'the drawer of a message', '[role="dialog"]');
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/messages');
  await openDrawer.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/messages');
  await page.goBack();
  await expect(page).toHaveURL('/');

  await page.getByRole('link', { name: 'Profiles' }).click();
  await page.getByRole('button', { name: 'New Profile' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/profiles');
  await page.getByRole('button', { name: 'New Profile' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/profiles');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test("the browser's Back leads past an editor that was closed, also where it was opened by the palette", async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  await customer.api.call(createSegment, { body: { name: 'Named', condition } });
  await signInAs(page, '/', customer);
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('link', { name: 'Named', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/segments');
  await page.goBack();
  await expect(page).toHaveURL('/');

  for (const [command, editor, list] of [
    ['New campaign', '/campaigns/new', '/campaigns'],
    ['New profile', '/profiles?dialog=new', '/profiles'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Command palette' }).fill(command);
    await page.getByRole('option', { name: command }).first().click();
    await expect(page).toHaveURL(editor);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL(list);
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/');
  }
});
