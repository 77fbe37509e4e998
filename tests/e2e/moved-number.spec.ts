import { listMessages } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { verifyCallback } from '#tests/support/connect-official.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const other = '5511900700001';
const [ana, ben] = ['5511900700011', '5511900700012'];

test('a business moves its number from a link to the official API, as the guide says: people, history and opt-outs stay', async ({
  page,
  product,
  whatsApp,
  meta,
}) => {
  test.setTimeout(120_000);
  const customer = await signUpSubscriber(product.url);
  const { api } = customer;
  const project = await makeProject(customer);
  const own = meta.number.display;
  for (const [phone_number, name] of [
    [own, 'Front desk'],
    [other, 'Second desk'],
  ] as const)
    await scanPhone(whatsApp.control, api, { projectId: project.id, phone_number, name });
  await signInAs(page, `/projects/${project.id}/phone-numbers`, customer);
  const numbers = async () =>
    (await api.call(listPhoneNumbers, { params: { projectId: project.id }, query: {} })).body.data;
  await expect.poll(async () => (await numbers()).every(({ status }) => status === 'connected')).toBe(true);
  await whatsApp.control.incoming({ from: ana, to: own, text: 'Are you open today?' });
  const arrived = async (text: string) =>
    (await api.call(listMessages, { params: { projectId: project.id }, query: {} })).body.data.some(
      ({ message }) => message === text,
    );
  await expect.poll(() => arrived('Are you open today?')).toBe(true);
  await api.call(addSuppression, { body: { phone: `+${ben}` } });

  await page.goto('/docs/official-api');
  await expect(page.getByText('Delete the linked phone number here.')).toBeVisible();
  await page.goto(`/projects/${project.id}/phone-numbers`);
  await page.getByRole('link', { name: 'Front desk' }).click();
  await page.getByRole('button', { name: 'More actions for this number' }).click();
  await page.getByRole('menuitem', { name: 'Delete number' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Phone number deleted successfully')).toBeVisible();

  await page.getByRole('link', { name: 'Ways to connect' }).click();
  await page.getByRole('button', { name: 'Connect it' }).click();
  await page.getByLabel('Phone Number', { exact: true }).fill(`+${own}`);
  await page.getByLabel('Name (Optional)').fill('Front desk, official');
  await page.getByLabel('Phone number ID').fill(meta.number.id);
  await page.getByLabel('Business account ID').fill(meta.account.id);
  await page.getByLabel('Access token').fill(meta.token);
  await page.getByLabel('App secret').fill(meta.appSecret);
  Object.assign(meta.number, { isRegistered: true });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Front desk, official' })).toBeVisible();
  await expect(page.getByText('Number is registered', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('App is subscribed', { exact: true })).toBeVisible();
  const official = (await numbers()).find(({ connector }) => connector === 'cloud');
  if (!official) throw new Error('The official number is not listed');
  await verifyCallback(meta, official, product.url);

  await page.getByRole('link', { name: /^Inbox/ }).click();
  const conversations = page.getByRole('list', { name: 'Conversations' });
  await conversations.getByRole('button', { name: new RegExp(ana.slice(-4)) }).click();
  const log = page.getByRole('log');
  await expect(log).toContainText('Are you open today?');
  meta.receiveText(ana, 'I am here again');
  await expect(log).toContainText('I am here again');
  await expect(page.getByText(/left to answer freely/)).toBeVisible();

  const send = async (to: string, message: string) => {
    const response = await fetch(`${product.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: JSON.stringify({ to: `+${to}`, message }),
    });
    return { status: response.status, body: (await response.json()) as { phone_id?: number; code?: string } };
  };
  for (const text of ['Until six.', 'And tomorrow from nine.', 'See you!'])
    expect(await send(ana, text)).toMatchObject({ status: 200, body: { phone_id: official.id } });
  expect(await send(ben, 'Sale')).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  await expect(log).toContainText('See you!');
});
