import { sendMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

/** In the sandbox such a contact answers STOP. */
const phone = '14155550008';

test('a contact who replies STOP gets nothing more, until somebody gives a reason to write to them again', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const { body: profile } = await customer.api.call(createProfile, { body: { phone, name: 'Maria Silva' } });
  const program = createApiClient(product.url, { 'x-auth-key': project.auth_key });
  await program.call(sendMessage, { body: { to: phone, message: 'Our spring offers' }, headers: {} });

  await signInAs(page, '/settings/opt-out', customer);
  const row = page.getByRole('row').filter({ hasText: '+1 415 555 0008' });
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('By reply');
  }).toPass();

  await page.goto('/');
  await page.getByLabel('Recipient number').fill(phone);
  await page.getByLabel('Message', { exact: true }).fill('Did you see them?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText(/opted out/i).first()).toBeVisible();

  await page.goto(`/profiles/${profile.id}`);
  const optedOut = page.getByRole('switch', { name: 'Opted out' });
  await expect(optedOut).toBeChecked();
  await expect(page.getByRole('list', { name: 'Opt-out history' })).toContainText('Opted out by replying “STOP”');
  await optedOut.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Opt in again' }).click();
  await expect(dialog.getByText('Say why in a few words')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Asked for it at the counter');
  await dialog.getByRole('button', { name: 'Opt in again' }).click();
  await expect(optedOut).not.toBeChecked();
  await expect(page.getByRole('list', { name: 'Opt-out history' })).toContainText('Asked for it at the counter');

  await page.goto('/settings/opt-out');
  await expect(page.getByText('Nobody has opted out')).toBeVisible();
});
