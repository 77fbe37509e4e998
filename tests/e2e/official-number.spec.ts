import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('a number of the official API is connected from its pages alone, each step seen to be right', async ({
  page,
  product,
  meta,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  Object.assign(meta.number, { isRegistered: false, pin: '246810', registerCalls: 0 });
  await signInAs(page, `/projects/${project.id}/phone-numbers`, customer);
  await page.getByRole('link', { name: 'Ways to connect' }).click();
  await page.getByRole('button', { name: 'Connect it' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Enter the digits that Meta shows').first()).toBeVisible();
  await page.getByLabel('Phone Number', { exact: true }).fill(`+${meta.number.display}`);
  await page.getByLabel('Name (Optional)').fill('Larkspur UK');
  await page.getByLabel('Phone number ID').fill(meta.number.id);
  await page.getByLabel('Business account ID').fill(meta.account.id);
  await page.getByLabel('Access token').fill(meta.token);
  await page.getByLabel('App secret').fill(meta.appSecret);
  await expectAccessible(page, 'the form of an official number');
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Larkspur UK' })).toBeVisible();
  await expect(page.getByText('Waiting for Meta to verify the callback URL')).toBeVisible();
  await expect(page.getByText('Token is valid', { exact: true })).toBeVisible();
  await expect(page.getByText('Number is not registered', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the page of an official number');
  await page.getByLabel('Two-step PIN of this number').fill('246810');
  await page.getByRole('button', { name: 'Register now' }).click();
  await expect(page.getByText('Number is registered', { exact: true })).toBeVisible();
  await expect(page.getByText('App is subscribed', { exact: true })).toBeVisible();
  await expect(page.getByText('0 of 2,000', { exact: true })).toBeVisible();

  const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id }, query: {} });
  const [phone] = body.data;
  const callback = new URL(new URL(phone?.cloud?.callback_url ?? '').pathname, product.url).href;
  await meta.webhooks.configure(callback, phone?.cloud?.verify_token ?? '');
  await expect(page.getByText(/Verified by Meta/)).toBeVisible();
  meta.receiveText('4915112345678', 'Hello');
  await expect(page.getByText(/Last webhook/)).toBeVisible();
  await page.getByRole('button', { name: 'Test again' }).click();
  await expect(page.getByText('Everything is fine', { exact: true })).toBeVisible();

  meta.tell('account_update', {
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '1' }],
  });
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/Meta restricts this business account/)).toBeVisible();
  }).toPass();
});
