import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import type { MessageNews } from '#server/modules/messaging/messages/index.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createHealth } from '#server/platform/service.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { createSettlementQueue } from './settlement-queue.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Somebody's message that waits for the network's word, and the lease of its phone. */
async function sentMessage() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const response = await fetch(app.url + sendMessage.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to: '14155550001', message: 'Hello' }),
  });
  const { id } = (await response.json()) as { id: number };
  const row = await app.ctx.db
    .selectFrom('messages')
    .innerJoin('phone_leases', 'phone_leases.phone_id', 'messages.phone_id')
    .select(['messages.account_id as accountId', 'messages.phone_id as phoneId', 'network_id as networkId', 'token'])
    .where('messages.account_id', '=', customer.id)
    .where('messages.id', '=', id)
    .executeTakeFirstOrThrow();
  const lease = { accountId: row.accountId, phoneId: row.phoneId ?? 0, token: row.token };
  return { customer, id, lease, networkId: row.networkId ?? '' };
}

type Sent = Awaited<ReturnType<typeof sentMessage>>;

const read = ({ lease, networkId }: Sent): MessageNews => ({
  authority: { kind: 'lease', lease },
  networkId,
  news: { kind: 'receipt', receipt: { networkId, status: 'read', at: new Date() } },
  resendIsHarmless: true,
});

async function statusOf({ customer, id }: Sent): Promise<string> {
  const { status } = await app.ctx.db
    .selectFrom('messages')
    .select('status')
    .where('account_id', '=', customer.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return status;
}

const lockMessage = ({ customer, id }: Sent) =>
  holdLock(app.ctx.pool, 'select from messages where account_id = $1 and id = $2 for update', [customer.id, id]);

function createQueue() {
  const health = createHealth({ service: 'phones', logger: createLogger('silent') });
  const queue = createSettlementQueue(app.ctx, { health });
  const settling = () => health.report().tasks.find(({ name }) => name === 'phones.settling');
  return { queue, settling, parked: () => health.report().parked.get('receipt') ?? 0 };
}

test('a receipt that PostgreSQL refuses is set aside, and those of other accounts beside it are stored', async () => {
  const { queue, settling, parked } = createQueue();
  const [one, other] = [await sentMessage(), await sentMessage()];
  const poison = { ...read(one), networkId: 'A\0B' };
  await Promise.all([read(one), poison, read(other), poison].map((news) => queue.add(news)));
  expect([await statusOf(one), await statusOf(other)]).toEqual(['read', 'read']);
  expect(parked()).toBe(2);
  expect(settling()).toMatchObject({ lagMs: 0, isFailing: false });
});

test('an account whose rows are locked holds up nobody else, and is settled once they are free', async () => {
  const { queue, settling } = createQueue();
  const [one, other] = [await sentMessage(), await sentMessage()];
  const release = await lockMessage(one);
  const blocked = queue.add(read(one));
  await Promise.all([queue.add(read(other)), expect.poll(() => settling()?.errors).toBeGreaterThan(0)]);
  expect(await statusOf(other)).toBe('read');
  // The one that is blocked by itself keeps failing; those of the others go straight through.
  const third = await sentMessage();
  const startedAt = performance.now();
  await queue.add(read(third));
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(settling()?.lagMs).toBeGreaterThan(0);
  await release();
  await blocked;
  expect(await statusOf(one)).toBe('read');
  expect(settling()).toMatchObject({ lagMs: 0 });
});

test('a drain that is over waits for nothing that is blocked', async () => {
  const { queue } = createQueue();
  const one = await sentMessage();
  await lockMessage(one);
  const blocked = queue.add(read(one));
  await queue.drain(AbortSignal.timeout(100));
  await blocked;
  expect(await statusOf(one)).not.toBe('read');
});
