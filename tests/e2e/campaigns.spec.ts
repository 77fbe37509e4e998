import type { Locator, Page } from '@playwright/test';
import { createCampaign } from '#contracts/campaigns.ts';
import type { Campaign, NewCampaign } from '#contracts/campaigns.ts';
import { connectPhone, disconnectPhone, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment, deleteSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

/** The sandbox refuses numbers that end in 0000. */
const people = [
  { phone: '+1 415 555 2671', name: 'Maria Silva' },
  { phone: '+1 415 555 2672', name: 'João Souza' },
  { phone: '+1 415 555 0000', name: 'Nora Unreachable' },
  { phone: '+1 415 555 2674', name: 'Otto Optout', status: 'opted_out' },
];

const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;

type Ready = {
  customer: Customer;
  inPhone: { params: { phoneId: number } };
  target: Pick<NewCampaign, 'project_id' | 'message'> & { segment_id: number };
};

/** Somebody with a phone, four people and a segment of them. */
async function signUpReady(url: string): Promise<Ready> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  for (const person of people) {
    await customer.api.call(createProfile, {
      body: { ...person, custom_fields: { installed: true, shop: 'Corner' } },
    });
  }
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Installed users', condition } });
  return {
    customer,
    inPhone: { params: { phoneId: phone.id } },
    target: { project_id: project.id, segment_id: segment.id, message: 'Hi {name} of {shop}' },
  };
}

/** So slow that it is under way whatever a test does meanwhile. */
async function makeSlowCampaign({ customer, target }: Ready, name: string): Promise<Campaign> {
  const { body } = await customer.api.call(createCampaign, { body: { ...target, name, duration: 600 } });
  return body;
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

test('from a segment to a campaign, and to what became of everybody in it', async ({ page, product }) => {
  test.setTimeout(90_000);
  const { customer, target } = await signUpReady(product.url);
  await signInAs(page, '/campaigns', customer);
  await expect(page.getByText('No campaigns yet. Create your first one.')).toBeVisible();
  await page.getByRole('button', { name: 'New Campaign' }).first().click();

  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  const create = dialog.getByRole('button', { name: 'Create Campaign' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Installed follow-up');
  await expect(dialog.getByRole('combobox', { name: 'Project' }).locator('option:checked')).toHaveText('Shop');
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await dialog.getByRole('option', { name: 'Installed users' }).click();
  await expect(dialog.getByText('3 profiles of 4 will get it. Skipped: 1 opted out.')).toBeVisible();
  await expect(create).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi {name} of {shopp}, ');
  await dialog.getByRole('button', { name: 'Insert {shop}' }).click();
  await expect(dialog.getByText('No profile has {shopp}: it becomes empty text.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi {name} of {shop}');
  await expect(dialog.getByText('Hi Nora Unreachable of Corner')).toBeVisible();
  await dialog.getByRole('button', { name: 'Next sample' }).click();
  await expect(dialog.getByText('Hi João Souza of Corner')).toBeVisible();
  await create.click();
  await expect(page.getByText('Campaign created')).toBeVisible();
  // So few people are asked about by no review; the list stays, and the report is a click away.
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Installed follow-up' })).toBeVisible();
  await page.goBack();

  const row = rowOf(page, 'Installed follow-up');
  await expect(row).toContainText('Completed');
  await expect(row).toContainText('Shop');
  await expect(row).toContainText('Segment: Installed users');
  await expect(row).toContainText('2/4');

  await row.getByRole('link', { name: 'Installed follow-up' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Installed follow-up' })).toBeVisible();
  await expect(rowOf(page, 'Maria Silva')).toContainText(/Sent|Delivered|Read/);
  await expect(rowOf(page, 'Nora Unreachable')).toContainText('This number is not on WhatsApp');
  await expect(rowOf(page, 'Otto Optout')).toContainText('Opted out of messages');
  await page
    .getByRole('group', { name: 'State of recipients' })
    .getByRole('button', { name: /^Failed/ })
    .click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(rowOf(page, 'Maria Silva')).toHaveCount(0);
  await expect(rowOf(page, 'Nora Unreachable')).toBeVisible();
  await page.getByRole('group', { name: 'State of recipients' }).getByRole('button', { name: /^All/ }).click();
  await page.getByRole('searchbox', { name: 'Search recipients' }).fill('unreach');
  await expect(page).toHaveURL(/search=unreach/);
  await expect(rowOf(page, 'Maria Silva')).toHaveCount(0);
  await page
    .getByRole('group', { name: 'State of recipients' })
    .getByRole('button', { name: /^Failed/ })
    .click();
  await page.reload();
  await expect(rowOf(page, 'Nora Unreachable')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search recipients' })).toHaveValue('unreach');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^campaign-\d+-recipients-failed\.csv$/);

  await customer.api.call(createCampaign, { body: { ...target, name: 'Another', message: 'Another message' } });
  await page.getByRole('link', { name: 'View messages' }).click();
  const records = page.getByRole('region', { name: 'Messages Records' });
  await expect(records.getByText('Hi Maria Silva of Corner')).toBeInViewport();
  await expect(records.getByText('1–3 of 3')).toBeVisible();
  await records.getByRole('button', { name: /^Campaign: Installed follow-up/ }).click();
  await expect(page).not.toHaveURL(/campaign=/);
  await expect(records.getByRole('button', { name: /^Campaign:/ })).toHaveCount(0);
  await expect(records.getByText('Another message').first()).toBeVisible();
});

test('is paused, resumed, cancelled and deleted', async ({ page, product }) => {
  test.setTimeout(90_000);
  const ready = await signUpReady(product.url);
  const { id } = await makeSlowCampaign(ready, 'Winter stock');
  await makeSlowCampaign(ready, 'Spring stock');
  await signInAs(page, '/campaigns', ready.customer);

  const row = rowOf(page, 'Winter stock');
  await expect(row).toContainText('Running');
  await row.getByRole('button', { name: 'More actions for Winter stock' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(page.getByText('Campaign paused')).toBeVisible();
  await expect(row).toContainText('Paused');

  await row.getByRole('button', { name: 'More actions for Winter stock' }).click();
  await page.getByRole('menuitem', { name: 'Recipients' }).click();
  await expect(page).toHaveURL(new RegExp(`/campaigns/${id}$`));
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Campaign resumed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeFocused();

  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel campaign' }).click();
  await expect(page.getByText('Campaign cancelled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await expect(rowOf(page, 'Nora Unreachable')).toContainText('Skipped');
  // The pressed button is gone: the focus goes elsewhere, the page stays where it was.
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  await page.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete automation "Winter stock"?' });
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Automation deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/campaigns$/);
  await expect(rowOf(page, 'Spring stock')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.goto(`/campaigns/${id}`);
  await expect(page.getByText('Campaign not found.')).toBeVisible();
});

test('waits, says what for, and goes on by itself, its segment gone meanwhile', async ({ page, product }) => {
  test.setTimeout(90_000);
  const { customer, inPhone, target } = await signUpReady(product.url);
  const { api } = customer;
  await api.call(updatePhoneNumber, { ...inPhone, body: { max_daily_messages: 1 } });
  await signInAs(page, '/campaigns', customer);
  await expect(page.getByText('No campaigns yet. Create your first one.')).toBeVisible();
  await api.call(createCampaign, { body: { ...target, name: 'Winter stock' } });
  const row = rowOf(page, 'Winter stock');
  await expect(row).toContainText('Waiting for tomorrow: the daily limit is reached');

  await row.getByRole('link', { name: 'Winter stock' }).click();
  await expect(page.getByText('Every connected phone has sent as many messages as it may today.')).toBeVisible();
  await api.call(disconnectPhone, inPhone);
  await expect(page.getByText('Waiting for a connected phone')).toBeVisible();
  await api.call(deleteSegment, { params: { segmentId: target.segment_id } });
  await api.call(updatePhoneNumber, { ...inPhone, body: { max_daily_messages: 10 } });
  await api.call(connectPhone, inPhone);
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await expect(page.getByText(`Segment #${target.segment_id}`)).toBeVisible();
  await expect(page.getByText(/^Waiting for/)).toHaveCount(0);
  await expect(rowOf(page, 'Maria Silva')).toContainText(/Sent|Delivered|Read/);
});

test('is changed as far as it still can be, by keyboard', async ({ page, product }) => {
  const ready = await signUpReady(product.url);
  const { customer, target } = ready;
  const when = '2099-01-15T09:00:00.000Z';
  await customer.api.call(createCampaign, { body: { ...target, name: 'Next century', when } });
  await signInAs(page, '/campaigns', customer);
  const row = rowOf(page, 'Next century');
  await expect(row).toContainText('Scheduled');
  await expect(row).toContainText('15 Jan 2099, 09:00');

  await row.getByRole('button', { name: 'Edit Next century' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Campaign' });
  const nameField = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await expect(nameField).toBeFocused();
  await expect(page).toHaveURL(/\/campaigns\/\d+\/edit$/);
  await expect(dialog.getByLabel('Date and time')).toHaveValue('15 Jan 2099');
  await expect(dialog.getByRole('textbox', { name: 'Time', exact: true })).toHaveValue('09:00');
  await nameField.fill('Sooner');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await row.getByRole('button', { name: 'Edit Next century' }).press('Enter');
  await expect(nameField).toHaveValue('Sooner');
  await dialog.getByRole('combobox', { name: 'Start' }).selectOption('Now');
  await dialog.getByRole('combobox', { name: 'Pace' }).selectOption('Spread over time');
  await dialog.getByRole('combobox', { name: 'Unit' }).selectOption('hours');
  await nameField.press('Enter');
  await expect(page.getByText('Campaign updated')).toBeVisible();
  await expect(rowOf(page, 'Sooner')).toContainText('Running');
  await expect(rowOf(page, 'Sooner')).toContainText('1/4');

  await rowOf(page, 'Sooner').getByRole('button', { name: 'Edit Sooner' }).press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Segment', exact: true })).toBeDisabled();
  await expect(dialog.getByText('The first messages have gone out.').first()).toBeVisible();
});

test('is found by name and status, and the URL says so', async ({ page, product }) => {
  const ready = await signUpReady(product.url);
  for (const name of ['Winter stock', 'Spring stock', 'Voucher']) await makeSlowCampaign(ready, name);
  await signInAs(page, '/campaigns', ready.customer);
  await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('stock');
  await expect(page.getByRole('heading', { name: '2 campaigns' })).toBeVisible();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(page).toHaveURL(/search=stock&sort=name&order=asc/);
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toContainText('Spring stock');
  await page.getByRole('button', { name: 'Status', exact: true }).first().click();
  await page.getByRole('option', { name: 'Completed' }).click();
  await expect(page).toHaveURL(/status=completed/);
  await expect(page.getByText('No campaign matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page.getByRole('heading', { name: '3 campaigns' })).toBeVisible();
});

for (const width of [1440, 1024, 390]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('pages and dialogs of campaigns are accessible', async ({ page, product }) => {
      test.setTimeout(90_000);
      const ready = await signUpReady(product.url);
      const { id } = await makeSlowCampaign(ready, 'Winter stock');
      await signInAs(page, '/campaigns', ready.customer);
      await expect(page.getByRole('link', { name: 'Winter stock' })).toBeVisible();
      await expectAccessible(page, 'the list');

      await page.getByRole('button', { name: 'New Campaign' }).click();
      const dialog = page.getByRole('dialog', { name: 'New Campaign' });
      await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
      await dialog.getByRole('option', { name: 'Installed users' }).click();
      await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi {nobody}');
      await dialog.getByRole('combobox', { name: 'Start' }).selectOption('At a date and time');
      await dialog.getByRole('combobox', { name: 'Pace' }).selectOption('Spread over time');
      await expect(dialog.getByText('No profile has {nobody}')).toBeVisible();
      await expect(dialog.getByText('will get it')).toBeVisible();
      await expectAccessible(page, 'the form');
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Discard' }).click();

      await page.getByRole('button', { name: 'Delete Winter stock' }).click();
      await expectAccessible(page, 'the question before deleting');
      await page.keyboard.press('Escape');

      await page.goto(`/campaigns/${id}`);
      await expect(page.getByText('Maria Silva')).toBeVisible();
      await expectAccessible(page, 'the campaign');
      await page.getByRole('button', { name: 'Edit' }).click();
      await expect(page.getByRole('dialog', { name: 'Edit Campaign' })).toBeVisible();
      await expectAccessible(page, 'the form of an edit');
    });
  });
}
