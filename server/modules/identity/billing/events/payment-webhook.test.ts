import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import {
  dayMs,
  patience,
  payer,
  paymentsOf,
  startPayPalProduct,
  subscriptionOf,
} from '#tests/support/paypal-product.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';
import type { Notification } from '#tests/paypal/notifications.ts';
import { removeOldEvents, workOffEvents } from './work-off-events.ts';

const minuteMs = 60_000;
let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
beforeEach(() => {
  Object.assign(product.paypal.faults, { outage: 'none', where: /./ });
  Object.assign(product.paypal.notifications.faults, { areLost: false, areHeld: false, times: 1 });
});
afterAll(() => product[Symbol.asyncDispose]());

const events = (id?: string) =>
  product.app.ctx.db
    .selectFrom('payment_events')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('event_id', '=', id ?? ''))
    .execute();

/** An event that has happened and was not delivered. */
async function undelivered(make: () => void): Promise<Notification> {
  product.paypal.notifications.faults.areLost = true;
  make();
  product.paypal.notifications.faults.areLost = false;
  const event = product.paypal.notifications.all.at(-1);
  if (!event) throw new Error('Nothing has happened');
  return event;
}

async function post(body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${product.app.url}/api/subscription/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: response.status, body: (await response.json()) as { code?: string }, headers: response.headers };
}

const signature = {
  'paypal-transmission-id': 'a',
  'paypal-transmission-time': '2026-07-10T12:00:00Z',
  'paypal-transmission-sig': Buffer.alloc(256).toString('base64'),
  'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
  'paypal-auth-algo': 'SHA256withRSA',
};

test('an event that PayPal has signed makes the server ask, and the account follows', async () => {
  const customer = await payer(product);
  product.paypal.ledger.cancel(customer.subscription);
  await product.pass(1000);
  expect(product.paypal.notifications.deliveries.map(({ status }) => status)).not.toContain(401);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled' });
});

test('a forged event is refused and stored nowhere', async () => {
  const customer = await payer(product);
  const event = await undelivered(() => product.paypal.ledger.cancel(customer.subscription));
  const { notifications } = product.paypal;
  const forgeries: ((headers: Record<string, string>) => Record<string, string>)[] = [
    (headers) => ({ ...headers, 'paypal-transmission-sig': Buffer.alloc(256, 7).toString('base64') }),
    (headers) => ({ ...headers, 'paypal-transmission-id': 'another' }),
    (headers) => ({ ...headers, 'paypal-transmission-time': '2036-01-01T00:00:00Z' }),
    (headers) => ({ ...headers, 'paypal-auth-algo': 'none' }),
  ];
  for (const forge of forgeries) expect(await notifications.post(event, forge)).toBe(401);
  const headers = notifications.sign(event);
  // The same JSON in another spelling, and another event under the same signature.
  for (const body of [JSON.stringify(JSON.parse(event.body)), event.body.replace('CANCELLED', 'ACTIVATED')]) {
    expect(await post(body, headers)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
  }
  expect(await events(event.id)).toEqual([]);
  expect(await post(event.body, headers)).toMatchObject({ status: 200, body: { received: true } });
  expect(await events(event.id)).toHaveLength(1);
});

test.each<[string, string | Buffer, Record<string, string>, number, string]>([
  ['nothing', '', {}, 400, 'missing_signature'],
  ['no signature', '{"id":"WH-1","event_type":"A.B"}', {}, 400, 'missing_signature'],
  ['a part of a signature', '{}', { ...signature, 'paypal-cert-url': '' }, 400, 'missing_signature'],
  ['no JSON', 'garbage', signature, 400, 'malformed_json'],
  ['no body', '', signature, 400, 'malformed_json'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), signature, 400, 'malformed_json'],
  ['another value behind it', '{"id":"WH-1","event_type":"A"},"webhook_id":"x"', signature, 400, 'malformed_json'],
  ['a list', '[]', signature, 400, 'malformed_event'],
  ['no event', '{"hello":1}', signature, 400, 'malformed_event'],
  ['a NUL', '{"id":"WH-\\u0000","event_type":"A"}', signature, 400, 'malformed_event'],
  ['a lie', '{"id":"WH-1","event_type":"A.B"}', signature, 401, 'invalid_signature'],
  ['too much', `{"id":"${'x'.repeat(140_000)}"}`, signature, 413, 'body_too_large'],
  [
    'another type',
    'a=b',
    { ...signature, 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  ['a huge header', '{}', { ...signature, 'paypal-cert-url': 'x'.repeat(3000) }, 422, 'invalid_input'],
])('%s is refused', async (_name, body, headers, status, code) => {
  const before = await events();
  expect(await post(body, headers)).toMatchObject({ status, body: { code } });
  expect(await events()).toHaveLength(before.length);
});

test('without a signature the body is not waited for: the refusal comes before it', async () => {
  const { hostname, port } = new URL(product.app.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const answer: Buffer[] = [];
  socket.on('data', (data) => answer.push(data));
  socket.write(
    'POST /api/subscription/webhook HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
  );
  const text = () => Buffer.concat(answer).toString();
  await expect.poll(text).toContain('"code":"missing_signature"');
  expect(text()).toMatch(/^HTTP\/1.1 400 /);
});

test('delivered 25 times, at once and after, it is stored once and asked about once', async () => {
  const customer = await payer(product);
  const event = await undelivered(() => product.paypal.ledger.cancel(customer.subscription));
  await product.pass(1000);
  const asked = () => product.paypal.requests.filter((request) => request.endsWith(customer.orderId)).length;
  const before = asked();
  const deliver = () => product.paypal.notifications.deliver(event);
  const statuses = await Promise.all(Array.from({ length: 24 }, deliver));
  await product.pass(1000);
  statuses.push(await deliver());
  await product.pass(1000);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(await events(event.id)).toMatchObject([{ attempts: 1, next_attempt_at: null }]);
  expect(asked()).toBe(before + 1);
});

test('whatever the order they come in, they end the same', async () => {
  const { paypal } = product;
  const customer = await payer(product);
  await product.pass(1000);
  paypal.notifications.faults.areHeld = true;
  customer.subscription.hasFunds = false;
  product.clock.advance(31 * dayMs);
  paypal.ledger.runDue();
  paypal.ledger.settleDebt(customer.subscription);
  paypal.ledger.suspend(customer.subscription);
  paypal.ledger.activate(customer.subscription);
  for (const turn of [1, 2, 3]) {
    // Turned round further each time; what was delivered once comes again.
    paypal.notifications.faults.areHeld = false;
    const all = paypal.notifications.all.filter(({ body }) => body.includes(customer.orderId));
    for (const event of [...all.slice(turn), ...all.slice(0, turn)].toReversed()) {
      expect(await paypal.notifications.deliver(event)).toBe(200);
    }
    await product.pass(1000);
    expect(await subscriptionOf(customer)).toMatchObject({ status: 'active', hasActiveSubscription: true });
  }
  await expect
    .poll(async () => (await paymentsOf(customer)).map(({ status }) => status), patience)
    .toEqual(['completed', 'failed', 'completed']);
});

test('while PayPal cannot be asked it is to deliver again; nothing is stored', async () => {
  const customer = await payer(product);
  await product.pass(1000);
  product.paypal.faults.outage = 503;
  const event = await undelivered(() => product.paypal.ledger.cancel(customer.subscription));
  const { notifications } = product.paypal;
  const answer = await post(event.body, notifications.sign(event));
  expect(answer).toMatchObject({ status: 503, body: { code: 'payments_unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('10');
  expect(await events(event.id)).toEqual([]);
  product.paypal.faults.outage = 'none';
  expect(await notifications.deliver(event)).toBe(200);
  await product.pass(1000);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled' });
});

test('an event that is stored while the truth cannot be had is worked off later', async () => {
  const customer = await payer(product);
  await product.pass(1000);
  Object.assign(product.paypal.faults, { outage: 500, where: /subscriptions/ });
  const event = await undelivered(() => product.paypal.ledger.cancel(customer.subscription));
  expect(await product.paypal.notifications.deliver(event)).toBe(200);
  await expect
    .poll(() => events(event.id), patience)
    .toMatchObject([{ attempts: 1, next_attempt_at: new Date(product.clock.now().getTime() + minuteMs) }]);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'active' });

  product.clock.advance(minuteMs);
  await workOffEvents(product.app.ctx);
  expect(await events(event.id)).toMatchObject([
    { attempts: 2, next_attempt_at: new Date(product.clock.now().getTime() + 2 * minuteMs) },
  ]);
  product.paypal.faults.outage = 'none';
  product.clock.advance(2 * minuteMs);
  await workOffEvents(product.app.ctx);
  expect(await events(event.id)).toMatchObject([{ attempts: 3, next_attempt_at: null }]);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled' });
});

test('the history lists refunds, and a chargeback stays one', async () => {
  const customer = await payer(product);
  const [payment] = customer.subscription.transactions;
  await expect.poll(() => paymentsOf(customer), patience).toMatchObject([{ status: 'completed' }]);
  product.paypal.ledger.refund(customer.subscription, payment?.id ?? '');
  await product.pass(1000);
  expect(await paymentsOf(customer)).toMatchObject([{ status: 'refunded', amount: 9.99 }]);

  const other = await payer(product);
  await expect.poll(() => paymentsOf(other), patience).toHaveLength(1);
  product.paypal.ledger.reverse(other.subscription, other.subscription.transactions[0]?.id ?? '');
  await product.pass(1000);
  expect(await paymentsOf(other)).toMatchObject([{ status: 'reversed' }]);
  await product.pass(31 * dayMs);
  await expect
    .poll(async () => (await paymentsOf(other)).map(({ status }) => status), patience)
    .toEqual(['completed', 'reversed']);
});

test('events about what is not ours are stored and done with', async () => {
  const { notifications } = product.paypal;
  product.paypal.approveWithButtons({ custom_id: 'somebody of another shop' });
  notifications.add({ type: 'CUSTOMER.DISPUTE.CREATED', resourceType: 'dispute', resource: { dispute_id: 'PP-1' } });
  notifications.add({ type: 'PAYMENT.SALE.REFUNDED', resourceType: 'refund', resource: { id: 'R', sale_id: 'NONE' } });
  await product.pass(1000);
  const left = (await events()).filter(({ next_attempt_at }) => next_attempt_at !== null);
  expect(left).toEqual([]);
});

test('events are forgotten after a month, not before they are worked off', async () => {
  await payer(product);
  await product.pass(1000);
  const kept = await events();
  await product.app.ctx.db
    .updateTable('payment_events')
    .set({ next_attempt_at: new Date(product.clock.now().getTime() + 90 * dayMs) })
    .where('event_id', '=', kept[0]?.event_id ?? '')
    .execute();
  await removeOldEvents(product.app.ctx);
  expect((await events()).length).toBeGreaterThan(2);
  product.clock.advance(31 * dayMs);
  await removeOldEvents(product.app.ctx);
  expect((await events()).map(({ event_id }) => event_id)).toEqual([kept[0]?.event_id]);
  await product.app.ctx.db.deleteFrom('payment_events').execute();
});

test('a server with test payments takes none', async () => {
  await using testServer = await startTestApplication({ env: { ROLES: 'api' } });
  const response = await fetch(`${testServer.url}/api/subscription/webhook`, { method: 'POST', headers: signature });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'paypal_payments_off' });
});
