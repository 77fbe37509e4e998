import { getPhoneNumber } from '#contracts/phone-numbers.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const own = '5511900600001';
const stranger = '5511900600002';

test('the page of a number says how it stands, follows what WhatsApp says, and warns before protection goes off', async ({
  page,
  product,
  whatsApp,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const phoneId = await scanPhone(whatsApp.control, customer.api, {
    projectId: project.id,
    phone_number: own,
    name: 'Support',
  });
  const params = { phoneId };
  await expect.poll(async () => (await customer.api.call(getPhoneNumber, { params })).body.health).not.toBeNull();

  await signInAs(page, `/projects/${project.id}/phone-numbers`, customer);
  await page.getByRole('link', { name: 'Support' }).click();
  await expect(page).toHaveURL(`/phone-numbers/${phoneId}`);
  await expect(page.getByRole('heading', { name: /Nobody new is written to until/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /Today is day 1/ })).toBeVisible();
  await expect(page.getByText('This number was linked.')).toBeVisible();

  await page.getByRole('switch', { name: 'Older account' }).click();
  await expect(page.getByRole('heading', { name: 'Warming up, on course' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'First contacts today' })).toContainText('of 10 today');

  await whatsApp.control.lockNewChats(own, new Date(Date.now() + 3_600_000).toISOString());
  await whatsApp.control.answerMessages({ to: stranger, answer: 463 });
  const refused = await fetch(`${product.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to: stranger, message: 'Hello' }),
  });
  expect(refused.status).toBe(409);
  await expect(page.getByRole('heading', { name: /First contacts are stopped until/ })).toBeVisible();
  await expect(page.getByText(/A new chat was refused \(error 463\)/)).toBeVisible();

  await page.getByRole('switch', { name: 'Protection' }).click();
  const warning = page.getByRole('alertdialog', { name: 'Switch protection off?' });
  await expect(warning).toContainText('banned within days');
  await warning.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByRole('switch', { name: 'Protection' })).not.toBeChecked();
  await expect(page.getByText('Protection is off', { exact: true })).toBeVisible();

  await page.goto(`/projects/${project.id}`);
  await expect(page.getByText(/Support is limited until/)).toBeVisible();
  await page.getByRole('link', { name: 'See number Support' }).click();
  await expect(page).toHaveURL(`/phone-numbers/${phoneId}`);
});
