import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { listMessages } from '#contracts/messages.ts';
import { parseIds } from '#server/platform/db/notify.ts';
import { connectSandboxPhone, makeProject } from '#tests/support/customer.ts';
import { dayMs, patience, payWith, payer, startPayPalProduct } from '#tests/support/paypal-product.ts';
import type { PayPalProduct, Payer } from '#tests/support/paypal-product.ts';
import { signOutLapsedPhones } from './sign-out-lapsed-phones.ts';
import { outboxChannel } from '../channels.ts';

const toEndOfMonth = 31 * dayMs;
let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

/** A payer with a connected phone whose subscription is over. */
async function lapsed() {
  const customer = await payer(product);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  await expect.poll(async () => (await phonesOf(customer, project.id))[0]?.status, patience).toBe('connected');
  product.paypal.ledger.cancel(customer.subscription);
  await product.pass(toEndOfMonth);
  await product.reconcile();
  return { customer, project, phone };
}

async function phonesOf({ api }: Payer, projectId: number) {
  return (await api.call(listPhoneNumbers, { params: { projectId } })).body.data;
}

/** As its owner would see it, had they access. */
const phoneRow = ({ id }: Payer, phoneId: number) =>
  product.app.ctx.db
    .selectFrom('phones')
    .select(['status', 'wanted', 'error'])
    .where('account_id', '=', id)
    .where('id', '=', phoneId)
    .executeTakeFirst();

async function waitingMessage(customer: Payer, projectId: number, phoneId: number): Promise<void> {
  await product.app.ctx.db
    .insertInto('messages')
    .values({
      account_id: customer.id,
      project_id: projectId,
      phone_id: phoneId,
      direction: 'outgoing',
      recipient: '14155550123',
      body: 'Hello',
      status: 'pending',
      created_at: new Date(),
    })
    .execute();
}

const messageStatus = async (customer: Payer) =>
  (
    await product.app.ctx.db
      .selectFrom('messages')
      .select('status')
      .where('account_id', '=', customer.id)
      .executeTakeFirstOrThrow()
  ).status;

test('phones stay linked for 30 days, then they are signed out, once, and their owner gets a mail', async () => {
  const { customer, phone } = await lapsed();
  const other = await payer(product);
  const othersProject = await makeProject(other);
  const othersPhone = await connectSandboxPhone(other, othersProject.id);
  await product.pass(29 * dayMs);
  await signOutLapsedPhones(product.app.ctx);
  expect(await phoneRow(customer, phone.id)).toMatchObject({ status: 'connected', wanted: 'online' });

  await product.pass(2 * dayMs);
  await signOutLapsedPhones(product.app.ctx);
  await signOutLapsedPhones(product.app.ctx);
  expect(await phoneRow(customer, phone.id)).toMatchObject({
    status: 'disconnected',
    wanted: 'offline',
    error: 'Signed out, as the subscription ended 30 days ago',
  });
  expect(await phoneRow(other, othersPhone.id)).toMatchObject({ wanted: 'online' });
  const notices = await product.app.ctx.db
    .selectFrom('subscription_notices')
    .select('occasion')
    .where('account_id', '=', customer.id)
    .where('occasion', '=', 'phones_signed_out')
    .execute();
  expect(notices).toHaveLength(1);
});

test('waiting messages are sent as soon as access is open again, and nothing was deleted', async () => {
  const { customer, project, phone } = await lapsed();
  await waitingMessage(customer, project.id, phone.id);
  await product.pass(20 * dayMs);
  expect(await messageStatus(customer)).toBe('pending');

  const woken: number[] = [];
  const stop = product.app.ctx.listener.subscribe(outboxChannel, (payload) => woken.push(...parseIds(payload)));
  await payWith(product, customer);
  await expect.poll(() => woken, patience).toContain(phone.id);
  stop();
  await expect.poll(() => messageStatus(customer), patience).not.toBe('pending');
  const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query: {} });
  expect(body.total).toBe(1);
  expect(await phonesOf(customer, project.id)).toMatchObject([{ status: 'connected' }]);
});
