import { makeProject, signUp, subscribe } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('the first message arrives on a drawn handset, is answered there, and its events appear', async ({
  page,
  product,
}) => {
  const customer = await signUp(product.url);
  await subscribe(customer);
  const project = await makeProject(customer);
  await signInAs(page, '/', customer);
  await page.getByRole('region', { name: 'Get started' }).getByRole('link', { name: 'Try the sandbox' }).click();
  await expect(page).toHaveURL(`/projects/${project.id}/first-message`);
  await page.getByRole('button', { name: 'Create a sandbox' }).click();

  const handset = page.getByRole('region', { name: 'Sam’s handset' });
  const webhook = page.getByRole('region', { name: 'Webhook' });
  await expect(handset.getByRole('button', { name: 'Thank you!' })).toBeDisabled();
  await expectAccessible(page, 'before the first message');
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter');
  await expect(handset.getByRole('log')).toContainText('your order 4821 is ready');
  const way = page.getByRole('list', { name: 'The way of the last message' });
  await expect(way.getByRole('listitem').filter({ hasText: 'Read' })).toContainText(/\d (ms|s)$/);
  for (const type of ['message.sent', 'message.delivered', 'message.read']) {
    await expect(webhook.getByRole('button', { name: type })).toBeVisible();
  }

  await handset.getByRole('textbox', { name: 'Answer as Sam' }).fill('Until when are you open?');
  await handset.getByRole('button', { name: 'Send as Sam' }).click();
  await expect(handset.getByRole('log')).toContainText('Until when are you open?');
  await expect(webhook.getByRole('button', { name: 'message.received' })).toHaveAttribute('aria-pressed', 'true');
  await expect(webhook.getByRole('region', { name: 'Body of the event' })).toContainText('Until when are you open?');
  await expect(page.getByText('That was a whole conversation.')).toBeVisible();
  await expectAccessible(page, 'after the answer');

  await handset.getByRole('button', { name: 'STOP' }).click();
  await expect(handset.getByRole('button', { name: 'START' })).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(/opted out/);
});
