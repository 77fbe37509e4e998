import type { Page } from '@playwright/test';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { listDrafts } from '#contracts/drafts.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProject } from '#contracts/projects.ts';
import { createSegment } from '#contracts/segments.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { signUpSubscriber, type Customer } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

async function addConnectedProject({ api }: Pick<Customer, 'api'>) {
  const { body: project } = await api.call(createProject, { body: { name: 'Larkspur' } });
  const { body: phone } = await api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: '14155550100', connector: 'sandbox' },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  return project;
}

const saved = (page: Page) => page.getByText('Draft saved');

/** An answer of the server about drafts that is still to come: words on the page may be of the save before. */
const draftAnswer = (page: Page, method: 'GET' | 'PUT') =>
  page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname.startsWith('/api/drafts') &&
      response.request().method() === method &&
      response.ok(),
  );

test('a campaign that is typed survives a refresh and leaving, is offered again, and is gone once it is made', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await addConnectedProject(customer);
  await customer.api.call(createSegment, {
    body: { name: 'Everybody', condition: { fieldPath: 'phone', operator: 'exists', value: '' } },
  });
  await signInAs(page, '/campaigns', customer);
  await page.getByRole('button', { name: 'New Campaign' }).first().click();
  await expect(page).toHaveURL('/campaigns/new');
  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  await dialog.getByLabel('Name', { exact: true }).fill('Spring sale');
  await dialog.getByLabel('Message', { exact: true }).fill('Hi {name}, the new bags are here.');
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Spring sale');
  await expect(dialog.getByLabel('Message', { exact: true })).toHaveValue('Hi {name}, the new bags are here.');
  await expect(dialog.getByText(/^This is your draft from/)).toBeVisible();
  // Leaving loses nothing, and asks nothing.
  await dialog.getByLabel('Name', { exact: true }).fill('Spring sale 2');
  await page.goBack();
  await expect(page).toHaveURL('/campaigns');
  const began = page.getByText(/You began a campaign, Spring sale 2,/);
  await expect(began).toBeVisible();
  await page.getByRole('button', { name: 'Discard', exact: true }).last().click();
  await expect(page.getByText('Draft discarded')).toBeVisible();
  await expect(began).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(began).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Spring sale 2');
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await page.getByRole('option', { name: 'Everybody' }).click();
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Spring sale 2' })).toBeVisible();
  await expect(page.getByText(/You began a campaign/)).toBeHidden();
});

test('a new project that is typed survives a refresh, and is gone once it is made', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/projects/new', customer);
  const name = page.getByRole('textbox', { name: 'Project Name' });
  await name.fill('Larkspur Store');
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue('Larkspur Store');
  await expect(page.getByText(/^This is your draft from/)).toBeVisible();
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(page).toHaveURL('/projects');
  await expect(page.getByRole('main').getByText('Larkspur Store').first()).toBeVisible();
  const { body: drafts } = await customer.api.call(listDrafts, { query: {} });
  expect(drafts.data).toEqual([]);
});

test('two tabs that type into one template are shown both texts, and one is chosen', async ({
  page,
  context,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const { body: template } = await customer.api.call(createTemplate, { body: { name: 'Order', message: 'Ready' } });
  await signInAs(page, `/templates?edit=${template.id}`, customer);
  const other = await context.newPage();
  const wasRead = draftAnswer(other, 'GET');
  await signInAs(other, `/templates?edit=${template.id}`, customer);
  const message = (tab: Page) => tab.getByRole('dialog').getByLabel('Message', { exact: true });
  await wasRead;
  await message(page).fill('Ready at the counter');
  await expect(saved(page)).toBeVisible();
  await message(other).fill('Ready until six');
  const clash = other.getByRole('alertdialog', { name: 'This draft was changed in another tab' });
  await expect(clash.getByText('Ready at the counter')).toBeVisible();
  await expect(clash.getByText('Ready until six')).toBeVisible();
  await clash.getByRole('button', { name: 'Take the other one' }).click();
  await expect(message(other)).toHaveValue('Ready at the counter');
  const otherSaved = draftAnswer(other, 'PUT');
  await message(other).fill('Ready at the counter until six');
  await otherSaved;
  await message(page).fill('Ready tomorrow');
  const back = page.getByRole('alertdialog', { name: 'This draft was changed in another tab' });
  const ownSaved = draftAnswer(page, 'PUT');
  await back.getByRole('button', { name: 'Keep this one' }).click();
  await ownSaved;
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(message(page)).toHaveValue('Ready tomorrow');
});

test('two tabs that edit one campaign, or one flow, choose between texts that name their things', async ({
  page,
  context,
  product,
}) => {
  const { api, token } = await signUpSubscriber(product.url);
  const project = await addConnectedProject({ api });
  const segmentIds: number[] = [];
  for (const name of ['Everybody', 'Trial customers']) {
    const condition = { fieldPath: 'phone', operator: 'exists', value: '' } as const;
    segmentIds.push((await api.call(createSegment, { body: { name, condition } })).body.id);
  }
  const [segmentId = 0] = segmentIds;
  const when = new Date(Date.now() + 48 * 60 * 60_000).toISOString();
  const { body: campaign } = await api.call(createCampaign, {
    body: { name: 'Spring', project_id: project.id, segment_id: segmentId, message: 'Hi', when },
  });
  const path = `/campaigns/${campaign.id}/edit`;
  const message = (tab: Page) =>
    tab
      .getByRole('dialog')
      .getByLabel(/^Message/)
      .and(tab.getByRole('textbox'));
  await signInAs(page, path, { api, token });
  const other = await context.newPage();
  let wasRead = draftAnswer(other, 'GET');
  await signInAs(other, path, { api, token });
  await wasRead;
  await message(page).fill('Hi from the first tab');
  await expect(saved(page)).toBeVisible();
  await other.getByRole('dialog').getByRole('combobox', { name: 'Segment', exact: true }).click();
  await other.getByRole('option', { name: 'Trial customers' }).click();
  const clash = other.getByRole('alertdialog', { name: 'This draft was changed in another tab' });
  await expect(clash.getByRole('row', { name: 'Segment Trial customers Everybody' })).toBeVisible();
  await expect(clash.getByRole('row', { name: 'Message Hi Hi from the first tab' })).toBeVisible();
  await expectAccessible(other, 'two texts to choose from', '[role="alertdialog"]');
  // Put off, it is not forgotten.
  await other.keyboard.press('Escape');
  await expect(clash).toBeHidden();
  await other.getByRole('button', { name: 'Compare' }).click();
  await clash.getByRole('button', { name: 'Take the other one' }).click();
  await expect(message(other)).toHaveValue('Hi from the first tab');
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Come back',
      conditions: [{ fieldPath: 'email', operator: 'exists', value: '' }],
      duration: { type: 'last_days', days: 30, dateFieldPath: 'created_at' },
      action: { type: 'send_message', projectId: project.id, message: 'Hi' },
      active: false,
    },
  });
  wasRead = draftAnswer(other, 'GET');
  for (const tab of [page, other]) await tab.goto(`/flows/${flow.id}/edit`);
  await wasRead;
  await message(page).fill('Hi from the first tab');
  await expect(saved(page)).toBeVisible();
  await message(other).fill('Hi from the second tab');
  await expect(clash.getByRole('row', { name: 'Message Hi from the second tab Hi from the first tab' })).toBeVisible();
  await expect(clash.getByRole('row')).toHaveCount(2);
  const ownSaved = draftAnswer(other, 'PUT');
  await clash.getByRole('button', { name: 'Keep this one' }).click();
  await ownSaved;
  await page.reload();
  await expect(message(page)).toHaveValue('Hi from the second tab');
});

test('a flow has its editor at an address of its own, also by the old one', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await addConnectedProject(customer);
  await signInAs(page, '/flows/new', customer);
  const dialog = page.getByRole('dialog', { name: 'Create Flow' });
  await dialog.getByLabel('Name', { exact: true }).fill('Trial ends');
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Trial ends');
  await dialog.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/flows');
  await expect(page.getByText(/You began a flow/)).toBeHidden();
});

test('a message that is typed on the dashboard stays there; a dialog without a draft asks before a refresh', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await addConnectedProject(customer);
  await signInAs(page, '/', customer);
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('The new bags are here.');
  await page.reload();
  await expect(message).toHaveValue('The new bags are here.');
  await page.getByRole('textbox', { name: 'Recipient number' }).fill('+1 415 555 0132');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message).toHaveValue('');
  await page.goto(`/projects/${project.id}/developers`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').click();
  await page.keyboard.type('Shop backend');
  const asked = page.waitForEvent('dialog');
  const reload = page.reload();
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();
  await reload;
});
