import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test.setTimeout(120_000);

const own = '5511900001616';
const ada = '5511977771616';

test('a contact writes with a picture, the owner answers with a document, the contact reacts: all without a reload', async ({
  page,
  product,
  whatsApp,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const params = { projectId: project.id };
  await scanPhone(whatsApp.control, customer.api, { ...params, phone_number: own, connector: 'whatsapp' });
  const isConnected = async () => (await customer.api.call(listPhoneNumbers, { params })).body.data[0]?.is_connected;
  await expect.poll(isConnected).toBe(true);
  await customer.api.call(createProfile, { body: { phone: ada, name: 'Ada Lindqvist' } });
  await signInAs(page, '/', customer);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#37c' } })
    .jpeg()
    .toBuffer();
  const about = { caption: 'Is the box all right?' };
  await whatsApp.control.incomingFile({ from: ada, to: own, bytes: picture.toString('base64'), about });
  const inbox = page.getByRole('link', { name: /^Inbox/ });
  await expect(inbox).toContainText('1 unread');
  await inbox.click();
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('button', { name: /Ada Lindqvist/ })
    .click();
  const log = page.getByRole('log');
  await log.getByRole('button', { name: 'Open picture: Is the box all right?' }).click();
  const viewer = page.getByRole('dialog', { name: /Ada Lindqvist/ });
  await expect(viewer.getByRole('img', { name: 'Is the box all right?' })).toBeVisible();
  await expectAccessible(page, 'the viewer', '[role="dialog"]');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('d');
  const seen = await readFile(await (await downloading).path());
  expect(seen.equals(picture)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);

  await log.getByRole('button', { name: 'Reply' }).click();
  await expect(page.getByText('Replying to Ada Lindqvist')).toBeVisible();
  const plan = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach a file' }).click();
  await (await choosing).setFiles({ name: 'return-label.pdf', mimeType: 'application/pdf', buffer: plan });
  await expect(page.getByText(/^Document · \d+ B$/)).toBeVisible();
  await expectAccessible(page, 'a file in the composer');
  await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await page.keyboard.type('Please send it back with this');
  await page.keyboard.press('Enter');
  await expect(log.getByText('return-label.pdf')).toBeVisible();
  await expect(log.getByText('Delivered', { exact: true })).toBeAttached();
  const arrived = Buffer.from(await whatsApp.control.openLatestFile(ada), 'base64');
  expect(arrived.equals(plan)).toBe(true);
  const { arrivals } = await whatsApp.control.readContact(ada);
  const arrival = arrivals.at(-1);
  expect(JSON.stringify(arrival?.message)).toContain('Please send it back with this');
  await log.getByTitle('Show the message').click();

  const key = { remoteJid: `${own}@s.whatsapp.net`, fromMe: false, id: arrival?.id ?? '' };
  await whatsApp.control.incoming({ from: ada, to: own, text: '', message: { reactionMessage: { key, text: '🙏' } } });
  await expect(log.getByText('Reactions: 🙏')).toBeVisible();

  await log.getByRole('button', { name: 'React' }).first().click();
  await page.getByRole('button', { name: 'React with 👍' }).click();
  await expect(log.getByRole('button', { name: 'Your reaction 👍: take it back' })).toBeVisible();
  await expect
    .poll(async () => JSON.stringify((await whatsApp.control.readContact(ada)).arrivals.at(-1)?.message))
    .toContain('👍');
  await expectAccessible(page, 'a thread with files, a quote and reactions');
});
