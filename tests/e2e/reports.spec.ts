import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment, listSegments } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

/** The sandbox fails the first for good, and the second in a way that another attempt may mend. */
const failing = ['14155550000', '14155550002'];
const reached = Array.from({ length: 10 }, (_, index) => String(14155552000 + index));

/** The rows of the file that the list of people downloads, without its head. */
async function downloadedRows(page: Page): Promise<number> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await (await download).path();
  return readFileSync(file, 'utf8').trim().split('\n').length - 1;
}

test('a launch opens its report, whose figures lead to their people, and these to a file, a segment, a campaign and a retry', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const { api } = customer;
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  for (const phone of [...failing, ...reached]) await api.call(createProfile, { body: { phone, name: `P ${phone}` } });
  const condition = { fieldPath: 'phone', operator: 'exists', value: '' } as const;
  await api.call(createSegment, { body: { name: 'Everybody', condition } });

  await signInAs(page, '/campaigns/new', customer);
  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await page.getByRole('option', { name: 'Everybody' }).click();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi {name}');
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  const review = page.getByRole('dialog', { name: 'Review “Spring”' });
  await expect(review.getByText(/^P 1415555/)).toHaveCount(3);
  await review.getByRole('button', { name: 'Send to 12' }).click();
  await expect(page).toHaveURL(/\/campaigns\/\d+$/);
  await expect(page.getByText('Campaign created')).toBeVisible();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();

  const figures = page.getByRole('region', { name: 'What became of it' });
  const people = page.locator('#entries');
  for (const [link, heading, count] of [
    [/^10\s+sent, show them/, '10 people were sent it', 10],
    [/^10\s+read, show them/, '10 people read it', 10],
    ['Failed 2', 'Failed for 2 people', 2],
  ] as const) {
    await figures.getByRole('link', { name: link }).click();
    await expect(people.getByRole('heading', { name: heading })).toBeVisible();
    await expect(people.getByRole('row')).toHaveCount(count + 1);
    expect(await downloadedRows(page)).toBe(count);
  }
  await expectAccessible(page, 'a report with the people of a figure');

  await people.getByRole('button', { name: 'Make a segment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create Segment' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('In words: did not get, as it failed, the campaign “Spring”.')).toBeVisible();
  await expect(page.getByText('Matches 2 of 12 profiles')).toBeVisible();
  await expectAccessible(page, 'a segment of several conditions');

  await page.goBack();
  await people.getByRole('button', { name: 'Retry failed (1)' }).click();
  await expect(page.getByText('Sending again to those who failed')).toBeVisible();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await people.getByRole('button', { name: 'Write to them' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Segment', exact: true })).toHaveText('Spring: failed');
  const { body: segments } = await api.call(listSegments, { query: {} });
  expect(segments.data.map(({ name }) => name).toSorted()).toEqual(['Everybody', 'Spring: failed', 'Spring: failed']);
});
