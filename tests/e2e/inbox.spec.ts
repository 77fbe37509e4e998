import { openConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const ada = '14155550132';

test('somebody writes, the badge counts, the owner answers, and it is read, all without a reload', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id, { name: 'Front desk' });
  await customer.api.call(createProfile, { body: { phone: ada, name: 'Ada Lindqvist' } });
  const write = (message: string) =>
    customer.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from: ada, message } });
  await signInAs(page, '/', customer);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await write('Is the *box* all right?');
  const link = page.getByRole('link', { name: /^Inbox/ });
  await expect(link).toContainText('1 unread');
  await expect(page).toHaveTitle(/^\(1\) /);
  await link.click();
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('button', { name: /Ada Lindqvist/ }).click();
  const log = page.getByRole('log');
  await expect(log.locator('strong', { hasText: 'box' })).toBeVisible();
  await expect(link).not.toContainText('unread');
  await expect(page).not.toHaveTitle(/^\(/);

  await page.keyboard.press('r');
  await page.keyboard.type('So sorry, a new one goes out today');
  await page.keyboard.press('Enter');
  await expect(log.getByText('So sorry, a new one goes out today')).toBeVisible();
  await expect(log.getByText('Read', { exact: true })).toBeAttached();

  await write('Thank you');
  await expect(log.getByText('Thank you')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(list.getByRole('button', { name: /Ada Lindqvist/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(list.getByRole('button', { name: /Ada Lindqvist/ })).toBeVisible();
});

test('a reply that is typed in one tab stands in the other, and in neither once it is sent', async ({
  page,
  context,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const { body: conversation } = await customer.api.call(openConversation, {
    body: { project_id: project.id, phone: ada },
  });
  const path = `/inbox?conversation=${conversation.id}`;
  const other = await context.newPage();
  const composer = (tab: typeof page) => tab.getByRole('textbox', { name: 'Message', exact: true });
  for (const tab of [page, other]) {
    await signInAs(tab, path, customer);
    await expect(composer(tab)).toBeVisible();
  }
  await composer(page).fill('On its way');
  await expect(composer(other)).toHaveValue('On its way');
  await composer(page).press('Enter');
  await expect(page.getByRole('log').getByText('On its way')).toBeVisible();
  await expect(composer(other)).toHaveValue('');
});

test('a reply without a connection says so in its place, and goes once the connection is back', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  await customer.api.call(receiveSandboxMessage, {
    params: { phoneId: phone.id },
    body: { from: ada, message: 'Hello' },
  });
  await signInAs(page, '/inbox', customer);
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click();
  const log = page.getByRole('log');
  await expect(log.getByText('Hello')).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hi there');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Not sent\./)).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Not sent\./)).toHaveCount(0);
  await expect(log.getByText('Hi there')).toHaveCount(1);
});

test('a thread of several pages is read to its beginning', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const { body: conversation } = await customer.api.call(openConversation, {
    body: { project_id: project.id, phone: ada },
  });
  const withKey = customer.api.as({ 'x-auth-key': project.auth_key });
  for (let index = 1; index <= 120; index += 1) {
    await withKey.call(sendMessage, {
      headers: { prefer: 'respond-async' },
      body: { to: ada, message: `Number ${index}` },
    });
  }
  await signInAs(page, `/inbox?conversation=${conversation.id}`, customer);
  const log = page.getByRole('log');
  await expect(log.getByText('Number 120', { exact: true })).toBeVisible();
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
    await expect(log.getByText('Number 1', { exact: true })).toBeVisible();
  }).toPass();
});
