import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { captureOrder } from '#contracts/billing.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { signUp } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { patience, placeOrder, planId, subscriptionOf } from '#tests/support/paypal-product.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { PayPalStandIn } from './stand-in.ts';

/** The process as `npm start` runs it, and again on the same database after it was killed. */
async function prepare() {
  const paypal = await PayPalStandIn.listen();
  onTestFinished(() => paypal.close());
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-paypal-crash-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = {
    ...paypal.settings,
    DATA_DIR: dataDir,
    DATABASE_URL: database.connectionString,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const start = async () => {
    const product = await startProduct({ env });
    onTestFinished(async () => void (await product.stop()));
    return product;
  };
  return { paypal, start };
}

/** The process is gone once PayPal has done what it was asked, and before it can say so. */
function killWhenAsked(paypal: PayPalStandIn, product: Product, wanted: RegExp): void {
  paypal.whileAsked = async (path) => {
    if (!wanted.test(path)) return;
    paypal.whileAsked = undefined;
    await product.kill();
  };
}

test('killed with an order made and not written down, then with it paid and not captured: one order, and access', async () => {
  const { paypal, start } = await prepare();
  const first = await start();
  const customer = await signUp(first.url);
  killWhenAsked(paypal, first, /\/subscriptions$/);
  await expect(placeOrder(customer)).rejects.toThrow();
  expect(paypal.ledger.subscriptions.size).toBe(1);

  const second = await start();
  const comeBack = (product: Product) => ({
    ...customer,
    api: createApiClient(product.url, { authorization: customer.token }),
  });
  const payer = comeBack(second);
  const { orderId = '' } = await placeOrder(payer);
  expect([...paypal.ledger.subscriptions.keys()]).toEqual([orderId]);
  paypal.ledger.approve(paypal.ledger.get(orderId));
  killWhenAsked(paypal, second, /\/subscriptions\/I-\w+$/);
  await expect(payer.api.call(captureOrder, { body: { orderId, planId } })).rejects.toThrow();

  // Nobody asks again, and no event comes: the reconciliation at the start finds it.
  const third = await start();
  await expect.poll(() => subscriptionOf(comeBack(third)), patience).toMatchObject({ status: 'active' });
  expect(paypal.ledger.get(orderId).transactions).toHaveLength(1);
});
