import { createFlow, getFlow, updateFlow } from '#contracts/flows.ts';
import { createTemplate, deleteTemplate, getTemplate, updateTemplate } from '#contracts/saved-templates.ts';
import { createSegment, getSegment, updateSegment } from '#contracts/segments.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;

test('a template, a segment and a flow that two members change at once keep what each of them changed', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  const { api } = customer;
  const template = (await api.call(createTemplate, { body: { name: 'Ready', message: 'Hi' } })).body;
  const segment = (await api.call(createSegment, { body: { name: 'Named', condition } })).body;
  const action = { projectId, message: 'Welcome' };
  const flow = (
    await api.call(createFlow, { body: { name: 'Welcome', conditions: [condition], action, active: true } })
  ).body;
  const dialog = page.getByRole('dialog');
  const rename = async (name: string) => {
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();
  };

  await signInAs(page, `/templates?edit=${template.id}`, customer);
  await expect(dialog).toBeVisible();
  const ofTemplate = { params: { templateId: template.id } };
  await api.call(updateTemplate, { ...ofTemplate, body: { message: 'Hello' } });
  await rename('Ready to go');
  expect((await api.call(getTemplate, ofTemplate)).body).toMatchObject({ name: 'Ready to go', message: 'Hello' });

  await page.goto(`/segments/${segment.id}`);
  await expect(dialog).toBeVisible();
  const ofSegment = { params: { segmentId: segment.id } };
  const withEmail = { ...condition, fieldPath: 'email' };
  await api.call(updateSegment, { ...ofSegment, body: { condition: withEmail } });
  await rename('With an address');
  expect((await api.call(getSegment, ofSegment)).body).toMatchObject({
    name: 'With an address',
    condition: { fieldPath: 'email' },
  });

  await page.goto(`/flows/${flow.id}/edit`);
  await expect(dialog).toBeVisible();
  const ofFlow = { params: { flowId: flow.id } };
  await api.call(updateFlow, {
    ...ofFlow,
    body: { active: false, conditions: [withEmail], action: { projectId, message: 'Good morning' } },
  });
  await rename('Morning');
  expect((await api.call(getFlow, ofFlow)).body).toMatchObject({
    name: 'Morning',
    active: false,
    conditions: [{ fieldPath: 'email' }],
    action: { message: 'Good morning' },
  });
});

test('an editor in which nothing was changed is saved, too', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  const { api } = customer;
  const template = (await api.call(createTemplate, { body: { name: 'Ready', message: 'Hi' } })).body;
  const segment = (await api.call(createSegment, { body: { name: 'Named', condition } })).body;
  const action = { projectId, message: 'Welcome' };
  const body = { name: 'Welcome', conditions: [condition], action, active: false };
  const flow = (await api.call(createFlow, { body })).body;
  await signInAs(page, '/', customer);
  for (const path of [`/templates?edit=${template.id}`, `/segments/${segment.id}`, `/flows/${flow.id}/edit`]) {
    await page.goto(path);
    await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('a template that is deleted while it is edited says so, and what was typed stays', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const template = (await customer.api.call(createTemplate, { body: { name: 'Ready', message: 'Hi' } })).body;
  await signInAs(page, `/templates?edit=${template.id}`, customer);
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Ready to go');
  await customer.api.call(deleteTemplate, { params: { templateId: template.id } });
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Template not found').first()).toBeVisible();
  await expect(name).toHaveValue('Ready to go');
});
