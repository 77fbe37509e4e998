import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { syncWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import { connectOfficial } from '#tests/support/connect-official.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { addTemplate } from '#tests/support/connect-official.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const [ana, ben, cem] = ['4915110003001', '4915110003002', '4915110003003'];

test('a campaign reaches people in two languages; who answers is answered freely, who wrote long ago by a template', async ({
  page,
  product,
  meta,
}) => {
  test.setTimeout(90_000);
  const customer = await signUpSubscriber(product.url);
  const { api } = customer;
  const project = await makeProject(customer);
  await connectOfficial(meta, { customer, url: product.url, projectId: project.id, name: 'Larkspur UK' });
  const english = addTemplate(meta, {
    name: 'spring_bulbs',
    components: [{ type: 'BODY', text: 'Hi {{first_name}}, the bulbs are here.' }],
  });
  addTemplate(meta, {
    ...english,
    id: '7001',
    language: 'pt_BR',
    components: [{ type: 'BODY', text: 'Oi {{first_name}}, os bulbos chegaram.' }],
  });
  await api.call(syncWhatsappTemplates, { body: {} });
  const custom_fields = { group: 'bulbs' };
  for (const person of [
    { phone: `+${cem}`, name: 'Cem Kaya', language: 'tr' },
    { phone: `+${ben}`, name: 'Ben Okri', language: 'en' },
    { phone: `+${ana}`, name: 'Ana Souza', language: 'pt-PT' },
  ])
    await api.call(createProfile, { body: { ...person, custom_fields } });
  const condition = { fieldPath: 'custom_fields.group', operator: 'equals', value: 'bulbs' } as const;
  await api.call(createSegment, { body: { name: 'Bulb lovers', condition } });

  await signInAs(page, '/campaigns', customer);
  await page.getByRole('button', { name: 'New Campaign' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await dialog.getByRole('option', { name: 'Bulb lovers' }).click();
  await dialog.getByText('WhatsApp template', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Template', exact: true }).click();
  await page.getByRole('option', { name: /spring_bulbs.*English/ }).click();
  await expect(dialog.getByText(/each person in their own language, all others in English/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'first_name', exact: true }).fill('{name}');
  await expect(dialog.getByText('Oi Ana Souza, os bulbos chegaram.')).toBeVisible();
  await expectAccessible(page, 'a campaign with a template');
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await expect(page.getByText('Campaign created')).toBeVisible();

  await page.getByRole('link', { name: 'Spring', exact: true }).click();
  await expect(page.getByText(/spring_bulbs in English \(United States\) and Portuguese \(Brazil\)/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Cem Kaya/ })).toContainText('Read');
  const languages = meta.sent.flatMap(({ to, body }) => {
    const { template } = body as { template?: { name: string; language: { code: string } } };
    return template?.name === 'spring_bulbs' ? [[to, template.language.code]] : [];
  });
  expect(Object.fromEntries(languages)).toEqual({ [ana]: 'pt_BR', [ben]: 'en_US', [cem]: 'en_US' });

  meta.receiveText(ana, 'Que bom!');
  await expect(page.getByRole('row', { name: /Ana Souza/ })).toBeVisible();
  await page.getByRole('link', { name: /^Inbox/ }).click();
  const conversations = page.getByRole('list', { name: 'Conversations' });
  await conversations.getByRole('button', { name: /Ana Souza/ }).click();
  const log = page.getByRole('log');
  await expect(log).toContainText('Oi Ana Souza, os bulbos chegaram.');
  await expect(page.getByText(/left to answer freely/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Até já');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => meta.sent.at(-1)).toMatchObject({ to: ana, body: { text: { body: 'Até já' } } });

  // Meta delivers what somebody wrote more than a day ago: by its time the window has shut.
  const yesterday = Math.floor(Date.now() / 1000) - 25 * 3600;
  meta.receive(ben, { type: 'text', text: { body: 'Any tulips?' }, timestamp: String(yesterday) });
  await conversations.getByRole('button', { name: /Ben Okri/ }).click();
  const panel = page.getByRole('region', { name: 'Send a template' });
  await expect(panel).toContainText('24 hours have passed since Ben Okri last wrote');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveCount(0);
  await panel.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: /spring_bulbs.*English/ }).click();
  await panel.getByLabel('first_name').fill('Ben');
  await panel.getByRole('button', { name: 'Send template' }).click();
  await expect(log).toContainText('Hi Ben, the bulbs are here.');
  await expect.poll(() => meta.sent.at(-1)).toMatchObject({ to: ben, type: 'template' });
});
