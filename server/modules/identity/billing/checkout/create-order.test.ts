import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '#tests/support/customer.ts';
import { placeOrder, planId, startPayPalProduct } from '#tests/support/paypal-product.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';
import { createOrder } from './create-order.ts';

let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const newCustomer = () => signUp(product.app.url);

test('the order names the plan at PayPal, where to approve it, and what its own buttons must send', async () => {
  const customer = await newCustomer();
  const order = await placeOrder(customer);
  expect(order).toEqual({
    planId,
    paypalPlanId: product.paypal.planId,
    provider: 'paypal',
    orderId: expect.stringMatching(/^I-[A-Z0-9]{12}$/),
    approvalUrl: expect.stringContaining(`${product.paypal.url}/webapps/billing/subscriptions?ba_token=`),
    customId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    startsAt: null,
    status: 'approval_pending',
  });
  const { request } = product.paypal.ledger.get(order.orderId ?? '');
  expect(request).toMatchObject({
    plan_id: product.paypal.planId,
    custom_id: order.customId,
    application_context: { return_url: 'http://localhost:0/subscription' },
  });
  expect(await placeOrder(customer)).toEqual(order);
  expect((await placeOrder(await newCustomer())).customId).not.toBe(order.customId);
  // Later PayPal's page for it is gone.
  product.clock.advance(2 * 3_600_000);
  expect(await placeOrder(customer)).toMatchObject({ orderId: expect.not.stringContaining(order.orderId ?? '') });
});

test('an event that overtakes the answer to the order takes nothing away from it', async () => {
  const { paypal } = product;
  paypal.whileAsked = async (path) => {
    if (path !== '/v1/billing/subscriptions') return;
    paypal.whileAsked = undefined;
    await product.pass(1000);
  };
  const order = await placeOrder(await newCustomer());
  expect(order.approvalUrl).toContain('ba_token=');
});

test('an order that was never stored here is not taken for one of the current plan', async () => {
  const customer = await newCustomer();
  const { ctx } = product.app;
  const asked: string[] = [];
  const orderOf = (providerPlanId: string) =>
    createOrder(
      {
        ...ctx,
        account: { id: customer.id, timezone: 'UTC' },
        payments: {
          ...ctx.payments,
          providerPlanId: () => providerPlanId,
          createOrder: async ({ requestId }) => {
            asked.push(requestId);
            throw new Error('the connection broke');
          },
        },
      },
      { planId },
    );
  const old = `P-${'5'.repeat(24)}`;
  for (const plan of [old, old, `P-${'6'.repeat(24)}`]) await expect(orderOf(plan)).rejects.toThrow();
  expect(asked[1]).toBe(asked[0]);
  expect(asked[2]).not.toBe(asked[0]);
  // As long as PayPal takes it.
  for (const requestId of asked) expect(requestId.length).toBeLessThanOrEqual(108);
});
