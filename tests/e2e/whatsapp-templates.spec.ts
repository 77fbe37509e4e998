import { openConversation } from '#contracts/conversations.ts';
import { connectOfficial } from '#tests/support/connect-official.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('a template is written and approved; it reaches a person out of their 24 hours, who is then answered freely', async ({
  page,
  product,
  meta,
}) => {
  const customer = await signUpSubscriber(product.url);
  const { api } = customer;
  const project = await makeProject(customer);
  await connectOfficial(meta, { customer, url: product.url, projectId: project.id, name: 'Larkspur UK' });

  await signInAs(page, '/whatsapp-templates', customer);
  await page.getByRole('link', { name: 'New template' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('order ready');
  await page.getByLabel('Language', { exact: true }).selectOption('en_GB');
  await page.getByLabel('Body', { exact: true }).fill('Hi {{first_name}}, your order is ready.');
  await page.reload();
  await expect(page.getByLabel('Body', { exact: true })).toHaveValue('Hi {{first_name}}, your order is ready.');
  await page.getByLabel('{{first_name}}', { exact: true }).fill('Ana');
  await expectAccessible(page, 'the editor of a template');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText('WhatsApp is reviewing this')).toBeVisible();
  await expectAccessible(page, 'a template in review');

  const own = [...meta.account.templates.values()].find(({ name }) => name === 'order_ready');
  if (own) own.status = 'APPROVED';
  meta.tell('message_template_status_update', { message_template_id: Number(own?.id), event: 'APPROVED' });
  await expect(page.getByText('A change is reviewed again', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'WhatsApp templates' }).first().click();
  await expect(page.getByRole('row', { name: /order_ready/ })).toContainText('Approved');
  await expectAccessible(page, 'the list of templates');

  const { body: conversation } = await api.call(openConversation, {
    body: { project_id: project.id, phone: '+4915112345699' },
  });
  await page.goto(`/inbox?conversation=${conversation.id}`);
  const panel = page.getByRole('region', { name: 'Send a template' });
  await expect(panel).toContainText('WhatsApp now takes only an approved template');
  await panel.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: /order_ready/ }).click();
  await panel.getByLabel('first_name').fill('Grace');
  await expectAccessible(page, 'a template in the inbox');
  await panel.getByRole('button', { name: 'Send template' }).click();
  await expect(page.getByRole('log')).toContainText('Hi Grace, your order is ready.');
  await expect
    .poll(() => meta.sent.at(-1)?.body)
    .toMatchObject({ type: 'template', template: { name: 'order_ready' } });

  meta.receiveText('4915112345699', 'On my way');
  await expect(page.getByRole('log')).toContainText('On my way');
  await expect(page.getByText(/left to answer freely/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('See you soon');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => meta.sent.at(-1)?.body).toMatchObject({ type: 'text', text: { body: 'See you soon' } });
});
