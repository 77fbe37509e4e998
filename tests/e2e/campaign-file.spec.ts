import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test.setTimeout(180_000);

const own = '5511900001617';
const ada = '5511977771617';

/** A picture without anything that is taken out of it on upload. */
const makePicture = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#37c' } })
    .jpeg()
    .toBuffer();

async function attach(page: Page, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach a file' }).click();
  await (await choosing).setFiles({ name: 'spring.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(/^Picture · /)).toBeVisible();
  await expect(page.getByRole('img', { name: 'spring.jpg' })).toBeVisible();
}

test('a campaign carries a picture, which arrives byte for byte', async ({ page, product, whatsApp }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const params = { projectId: project.id };
  // A campaign writes to somebody new, at whatever hour.
  const protection = { quiet_hours: false, older_account: true };
  await scanPhone(whatsApp.control, customer.api, { ...params, phone_number: own, connector: 'whatsapp', protection });
  const isConnected = async () => (await customer.api.call(listPhoneNumbers, { params })).body.data[0]?.is_connected;
  await expect.poll(isConnected).toBe(true);
  await customer.api.call(createProfile, { body: { phone: ada, name: 'Ada Lindqvist' } });
  const condition = { fieldPath: 'name', operator: 'equals', value: 'Ada Lindqvist' } as const;
  await customer.api.call(createSegment, { body: { name: 'Ada alone', condition } });
  const picture = await makePicture();

  await signInAs(page, '/campaigns', customer);
  await page.getByRole('button', { name: 'New Campaign' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await dialog.getByRole('option', { name: 'Ada alone' }).click();
  await attach(page, picture);
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi {name}, spring is here');
  await expect(dialog.getByText('Hi Ada Lindqvist, spring is here')).toBeVisible();
  await expectAccessible(page, 'a campaign with a file', '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await expect(page.getByText('Campaign created')).toBeVisible();

  const contact = async () => (await whatsApp.control.readContact(ada)).arrivals.length;
  await expect.poll(contact).toBe(1);
  const arrived = Buffer.from(await whatsApp.control.openLatestFile(ada), 'base64');
  expect(arrived.equals(picture)).toBe(true);
  const [arrival] = (await whatsApp.control.readContact(ada)).arrivals;
  expect(JSON.stringify(arrival?.message)).toContain('Hi Ada Lindqvist, spring is here');

  await page.getByRole('link', { name: 'Spring' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Spring' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'spring.jpg' })).toBeVisible();
  await expectAccessible(page, 'the page of a campaign with a file');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(dialog.getByRole('group', { name: 'Attached file' })).toContainText('spring.jpg');

  await page.goto('/flows');
  await page.getByRole('button', { name: 'New Flow' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Create Flow' })).toBeVisible();
  await attach(page, picture);
  await expectAccessible(page, 'a flow with a file', '[role="dialog"]');
  await page.goto('/bulk-send');
  await attach(page, picture);
  await expectAccessible(page, 'a bulk send with a file');
});
