import type { Page } from '@playwright/test';
import { disconnectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { updateProjectWebhook } from '#contracts/projects.ts';
import { sendTestEvent } from '#contracts/webhooks.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startWebhookReceiver } from '#tests/webhook-receiver.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const firstSteps = (page: Page) => page.getByRole('region', { name: 'Get started' });
const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
const chart = (page: Page) => page.getByRole('group', { name: 'Messages a day' });

test('a new account follows its first steps to the first message', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/', customer);
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
  await expect(firstSteps(page)).toContainText('1 of 4 done');

  await page.getByRole('link', { name: 'Create project' }).click();
  await page.getByLabel('Project Name').fill('Corner shop');
  await page.getByRole('button', { name: /create/i }).click();
  await expect(page).toHaveURL('/projects');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(firstSteps(page)).toContainText('2 of 4 done');

  // The steps are watched in one page while they are done in another.
  const watching = await page.context().newPage();
  await watching.goto('/');
  await expect(firstSteps(watching)).toContainText('2 of 4 done');

  await page.getByRole('link', { name: 'Connect WhatsApp' }).click();
  await expect(page.getByRole('heading', { name: 'Connect a number' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Phone numbers' }).click();
  await page.getByRole('button', { name: 'Add Phone Number' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone Number', { exact: true }).fill('+442079460100');
  await dialog.getByLabel('Name (Optional)').fill('Front desk');
  await dialog.getByText('Sandbox', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Add Phone Number' }).click();
  await page.getByRole('article', { name: 'Front desk' }).getByRole('button', { name: 'Connect' }).click();
  await expect(firstSteps(watching)).toContainText('3 of 4 done');

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Write a message' }).click();
  // The dashboard has a field of this name, too.
  await expect(page.getByRole('heading', { name: 'Your first message' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter');
  await expect(page.getByRole('log')).toContainText('your order');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(watching.getByText('You are all set')).toBeVisible();
  for (const open of [page, watching]) {
    await expect(open.getByLabel('Counts')).toContainText('Sent today1');
    await expect(chart(open).getByRole('button').last()).toHaveAccessibleName(/: 1 sent, 1 delivered, 0 failed/);
  }
  await watching.reload();
  await expect(chart(watching)).toBeVisible();
  await expect(watching.getByText('You are all set')).toBeHidden();
});

test('a failure shows at once, with the way to mend it', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const inProject = { params: { projectId: project.id } };
  const phone = await connectSandboxPhone(customer, project.id, { name: 'Front desk', max_daily_messages: 10 });
  await signInAs(page, '/', customer);
  await expect(page.getByLabel('Counts')).toContainText('1 of 1 phone in rotation');
  await expect(attention(page)).toBeHidden();

  await customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
  await expect(attention(page)).toContainText('Front desk is disconnected');
  await page.getByRole('button', { name: 'Reconnect Front desk' }).click();
  await expect
    .poll(async () => (await customer.api.call(listPhoneNumbers, inProject)).body.data[0]?.status)
    .toBe('connected');
  await expect(page.getByLabel('Counts')).toContainText('1 of 1 phone in rotation');
  await expect(attention(page)).toBeHidden();

  await using receiver = await startWebhookReceiver({ status: 500 });
  await customer.api.call(updateProjectWebhook, { ...inProject, body: { webhook_url: receiver.url } });
  for (let count = 0; count < 2; count += 1) await customer.api.call(sendTestEvent, inProject);
  await page.reload();
  await expect(attention(page)).toContainText('The webhook of Shop is failing');
  await expect(attention(page)).toContainText('HTTP 500');
  receiver.behave({ status: 200 });
  await customer.api.call(sendTestEvent, inProject);
  await expect(attention(page)).toBeHidden();
});
