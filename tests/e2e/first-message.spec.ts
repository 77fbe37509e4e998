import type { Page } from '@playwright/test';
import QRCode from 'qrcode';
import { Webhook } from 'standardwebhooks';
import { expect, test } from './fixtures.ts';

const ownNumber = '5511900000200';
const contactNumber = '5511977771234';
const text = 'Olá, é um teste ✓';

async function signUpAndSubscribe(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await page
    .getByRole('link', { name: /sign up|create/i })
    .first()
    .click();
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(`ada-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: /sign up|create/i }).click();
  await expect(page).toHaveURL('/subscription');
  await expect(page.getByText('Premium Plan').first()).toBeVisible();
  for (const feature of ['Unlimited connections', 'Webhooks', 'API access', 'Priority support']) {
    await expect(page.getByText(feature).first()).toBeVisible();
  }
  await page
    .getByRole('button', { name: /subscribe|pay/i })
    .first()
    .click();
  await expect(page.getByText(/test mode/i).first()).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page).toHaveURL('/');
}

async function createProject(page: Page, webhookUrl: string): Promise<void> {
  await expect(page.getByText('No Connected Projects')).toBeVisible();
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await expect(page.getByText('No projects').first()).toBeVisible();
  await expect(page.getByText('Get started by creating a new project.')).toBeVisible();
  await page.goto('/projects/new');
  await page.getByLabel('Project Name').fill('Corner shop');
  await page.getByLabel('Webhook URL').fill(webhookUrl);
  await page.getByRole('button', { name: /create/i }).click();
  await expect(page).toHaveURL('/projects');
  await page.getByRole('link', { name: 'View Details' }).click();
  await expect(page).toHaveURL(/\/projects\/\d+$/);
}

/** Adds the phone and opens the code; answers the text inside the code that the page shows. */
async function addPhoneAndOpenCode(page: Page): Promise<string> {
  await page
    .getByRole('link', { name: /phone numbers/i })
    .first()
    .click();
  await expect(page.getByText('No phone numbers yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add Phone Number' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone Number', { exact: true }).fill(`+${ownNumber}`);
  await dialog.getByLabel('Name (Optional)').fill('Front desk');
  await dialog.getByRole('button', { name: /add/i }).click();
  await expect(page.getByText('Phone number added successfully')).toBeVisible();

  const answer = page.waitForResponse((response) => response.url().endsWith('/connect') && response.status() === 200);
  await page.getByRole('article', { name: 'Front desk' }).getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Scan this QR code with WhatsApp to connect this phone number')).toBeVisible();
  const link = (await (await answer).json()) as { qr_payload: string };
  const image = page.getByRole('dialog').locator('img');
  await expect(image).toBeVisible();
  expect(await image.getAttribute('src')).toBe(
    await QRCode.toDataURL(link.qr_payload, { margin: 1, width: 320, errorCorrectionLevel: 'L' }),
  );
  return link.qr_payload;
}

test('from sign-up to a message that is read, and the webhooks of it', async ({ page, whatsApp, receiver }) => {
  test.setTimeout(120_000);
  await whatsApp.control.setContact(contactNumber, { delivers: true, reads: true });
  await signUpAndSubscribe(page);
  await createProject(page, receiver.url);
  const projectUrl = page.url();

  await whatsApp.control.scan(await addPhoneAndOpenCode(page), ownNumber);
  await expect(page.getByText('Phone connected successfully!')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('article', { name: 'Front desk' }).getByText('Connected', { exact: true })).toBeVisible();

  // The records are open in one page while the message is sent from another.
  const records = await page.context().newPage();
  await records.goto(projectUrl);
  await expect(records.getByText('WhatsApp Connected')).toBeVisible();
  await expect(records.getByText('No messages found.')).toBeVisible();

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('main').getByLabel('Project').selectOption('Corner shop');
  await page.getByLabel('Recipient number').fill(contactNumber);
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByText('Message sent successfully')).toBeVisible();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('');

  const contact = await whatsApp.control.readContact(contactNumber);
  expect(contact.texts).toMatchObject([{ text, from: ownNumber }]);

  const row = records.getByRole('row').filter({ hasText: text });
  await expect(row.getByText(/^(delivered|read)$/i)).toBeVisible();
  const event = records.getByRole('row').filter({ hasText: 'message.delivered' });
  await expect(event.getByText(/^success$/i)).toBeVisible();

  const secret = await webhookSecret(records);
  const delivered = receiver.received.find(({ body }) => body.includes('message.delivered'));
  const verified = new Webhook(secret).verify(delivered?.body ?? '', delivered?.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'message.delivered', data: { to: contactNumber, message: text } });
});

/** As the customer's own code would have it: from the API. */
async function webhookSecret(page: Page): Promise<string> {
  const token = await page.evaluate(
    () =>
      Object.values(localStorage)
        .join(' ')
        .match(/dps_\w+/)?.[0] ?? '',
  );
  const response = await page.request.get('/api/projects', { headers: { authorization: token } });
  const { data } = (await response.json()) as { data: { webhook_secret: string }[] };
  return data[0]?.webhook_secret ?? '';
}
