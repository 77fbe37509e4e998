import { createTemplate, listTemplates } from '#contracts/saved-templates.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile, getProfile } from '#contracts/profiles.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
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

test('an opt-out is undone by an opt-in of its own, and both stand in the history', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const { body: profile } = await customer.api.call(createProfile, { body: { phone: '14155550123', name: 'Ada' } });
  await signInAs(page, `/profiles/${profile.id}`, customer);
  const optedOut = page.getByRole('switch', { name: 'Opted out' });
  await optedOut.click();
  await expect(page.getByText('Opted out: they get no more messages')).toBeVisible();
  await expect(optedOut).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  await expect(optedOut).not.toBeChecked();
  await expect(page.getByRole('list', { name: 'Opt-out history' }).getByRole('listitem')).toHaveCount(2);
  const { body } = await customer.api.call(getProfile, { params: { profileId: profile.id } });
  expect(body.opted_out).toBe(false);
});

test('Done goes on to the next conversation, and its undo opens the one before again', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  for (const from of ['14155550121', '14155550122']) {
    const body = { from, message: `Hello from ${from}` };
    await customer.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body });
  }
  await signInAs(page, '/inbox', customer);
  const thread = page.getByRole('log');
  const second = page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /555 0122/ });
  await second.click();
  await expect(thread).toContainText('Hello from 14155550122');
  await page.keyboard.press('e');
  await expect(thread).toContainText('Hello from 14155550121');
  await expect(second).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(second).toBeVisible();
  await expect(thread).toContainText('Hello from 14155550121');
});
