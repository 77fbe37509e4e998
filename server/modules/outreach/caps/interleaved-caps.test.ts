import { afterAll, beforeAll, expect, test } from 'vitest';
import { putMessageCap } from '#contracts/message-caps.ts';
import { inTransaction } from '#server/context.ts';
import type { Tx } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { capWishes, forgetReservations, settleReservations } from './index.ts';

let app: TestApplication;
let accountId: number;
let lastId = 0;

beforeAll(async () => {
  app = await startTestApplication();
});
beforeAll(async () => {
  const { id, api } = await signUpSubscriber(app.url);
  accountId = id;
  await api.call(putMessageCap, { body: { topic_id: null, per_day: 1, per_week: null } });
});
afterAll(() => app[Symbol.asyncDispose]());

const newId = () => (lastId += 1);
const newPhone = () => String(14_155_550_100 + newId());

/** Takes the place of a message to the number, where there is one; answers whether it did. */
async function take(tx: Tx, phone: string, messageId: number): Promise<boolean> {
  const { over, reserve } = await capWishes(tx, {
    account: { id: accountId, timezone: 'UTC' },
    source: 'campaign',
    sourceId: messageId,
    topicId: null,
    priority: 'normal',
    wishes: [{ key: messageId, phone, profileId: null }],
  });
  if (over.has(messageId)) return false;
  await reserve([{ key: messageId, messageId }]);
  return true;
}

const alone = (phone: string, messageId = newId()) => inTransaction(app.ctx, (tx) => take(tx, phone, messageId));

const backOut = new Error('rolled back');

type Ends = { waits: boolean; isUndone?: boolean };

/** The second asks while the first has done its part and not ended yet. */
async function beside<T>(
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<T>,
  { waits, isUndone }: Ends,
): Promise<T> {
  const done = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ended = inTransaction(app.ctx, async (tx) => {
    await first(tx);
    done.resolve();
    await end.promise;
    if (isUndone) throw backOut;
  }).catch((error: unknown) => {
    if (error !== backOut) throw error;
  });
  await done.promise;
  const asked = second();
  if (waits) await untilSomebodyWaits(app.ctx.pool);
  else await asked;
  end.resolve();
  await ended;
  return asked;
}

async function taken(phone: string): Promise<number> {
  const { rows } = await app.ctx.pool.query<{ count: number }>(
    'select count(*)::int as count from cap_reservations where phone_key = phone_key($1) and not is_released',
    [phone],
  );
  return rows[0]?.count ?? -1;
}

test('of two sends at once against one place the second waits, and finds it taken', async () => {
  const phone = newPhone();
  const got: boolean[] = [];
  const second = await beside(
    async (tx) => got.push(await take(tx, phone, newId())),
    () => alone(phone),
    { waits: true },
  );
  expect([...got, second]).toEqual([true, false]);
  expect(await taken(phone)).toBe(1);
});

test('a send that comes to nothing leaves its place to the one that waits', async () => {
  const phone = newPhone();
  const second = await beside(
    (tx) => take(tx, phone, newId()),
    () => alone(phone),
    { waits: true, isUndone: true },
  );
  expect(second).toBe(true);
  expect(await taken(phone)).toBe(1);
});

test.each<[string, (tx: Tx, messageId: number) => Promise<void>]>([
  ['recall', (tx, messageId) => forgetReservations(tx, { accountId, messageIds: [messageId] })],
  [
    'failure',
    (tx, messageId) => settleReservations(tx, [{ account_id: accountId, message_id: messageId, isSent: false }]),
  ],
])('a %s gives the place back once it is certain, and no sooner', async (_name, giveBack) => {
  const phone = newPhone();
  const messageId = newId();
  expect(await alone(phone, messageId)).toBe(true);
  const meanwhile = await beside(
    (tx) => giveBack(tx, messageId),
    () => alone(phone),
    { waits: false },
  );
  expect(meanwhile).toBe(false);
  expect(await taken(phone)).toBe(0);
  expect(await alone(phone)).toBe(true);
  expect(await taken(phone)).toBe(1);
});

test('numbers that two sources name in different orders keep neither waiting for the other', async () => {
  const phones = [newPhone(), newPhone(), newPhone()];
  const takeAll = (order: readonly string[]) =>
    inTransaction(app.ctx, async (tx) => {
      const wishes = order.map((phone) => ({ key: newId(), phone, profileId: null }));
      const capping = await capWishes(tx, {
        account: { id: accountId, timezone: 'UTC' },
        source: 'flow',
        sourceId: 1,
        topicId: null,
        priority: 'normal',
        wishes,
      });
      const free = wishes.filter(({ key }) => !capping.over.has(key));
      await capping.reserve(free.map(({ key }) => ({ key, messageId: key })));
      return free.length;
    });
  const orders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? phones : phones.toReversed()));
  const counts = await Promise.all(orders.map(takeAll));
  expect(counts.filter((count) => count > 0)).toEqual([3]);
  for (const phone of phones) expect(await taken(phone)).toBe(1);
});
