import { afterAll, beforeAll, expect, test } from 'vitest';
import { pauseCampaign } from '#contracts/campaigns.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import {
  create,
  holdPhone,
  makeScene,
  recipients,
  releasePhone,
  setPhoneStatus,
  until,
} from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** A campaign whose messages wait for two phones that send nothing yet. */
async function stuckScene(people: number) {
  const own = await makeScene(app, people, { hasPhone: false });
  const first = await connectSandboxPhone(own.customer, own.projectId);
  const second = await connectSandboxPhone(own.customer, own.projectId);
  for (const phone of [first, second]) await holdPhone(app, phone.id);
  const campaign = await create(own);
  await expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(people);
  return { own, campaign, first, second };
}

async function waitingByPhone({ customer }: Scene): Promise<Record<string, number>> {
  const { rows } = await app.ctx.pool.query<{ phone_id: number; count: number }>(
    'select phone_id, count(*) as count from messages where account_id = $1 group by phone_id',
    [customer.id],
  );
  return Object.fromEntries(rows.map(({ phone_id: id, count }) => [id, count]));
}

test('a message that waits for a banned phone goes by another, and counts there alone', async () => {
  const { own, campaign, first, second } = await stuckScene(6);
  expect(await waitingByPhone(own)).toEqual({ [first.id]: 3, [second.id]: 3 });
  await setPhoneStatus(own, first.id, 'banned');
  await expect.poll(() => waitingByPhone(own)).toEqual({ [second.id]: 6 });
  const { body: phones } = await own.customer.api.call(listPhoneNumbers, { params: { projectId: own.projectId } });
  const counts = phones.data.map(({ id, daily_message_count: count }) => [id, count]);
  expect(Object.fromEntries(counts)).toEqual({ [first.id]: 0, [second.id]: 6 });
  await releasePhone(app, second.id);
  const done = await until(own, campaign, { status: 'completed', sent_count: 6 });
  expect(done.waiting_for).toBeNull();
  const { rows } = await app.ctx.pool.query('select distinct sender from messages where account_id = $1', [
    own.customer.id,
  ]);
  expect(rows).toEqual([{ sender: second.phone_number.replaceAll(/\D/g, '') }]);
});

test('a message that a phone has tried to send stays with it, and the campaign says why it waits', async () => {
  const { own, campaign, first, second } = await stuckScene(4);
  await app.ctx.pool.query(`update messages set network_id = 'tried' || id where account_id = $1 and phone_id = $2`, [
    own.customer.id,
    first.id,
  ]);
  await setPhoneStatus(own, first.id, 'disconnected');
  await until(own, campaign, { waiting_for: 'no_connected_phone' });
  expect(await waitingByPhone(own)).toEqual({ [first.id]: 2, [second.id]: 2 });
  await setPhoneStatus(own, first.id, 'connected');
  await until(own, campaign, { status: 'running', waiting_for: null });
});

test('with all phones away it waits for one, and goes on with the first that is back', async () => {
  const { own, campaign, first, second } = await stuckScene(4);
  for (const phone of [first, second]) await setPhoneStatus(own, phone.id, 'disconnected');
  await until(own, campaign, { status: 'running', waiting_for: 'no_connected_phone', waiting_count: 4 });
  await setPhoneStatus(own, second.id, 'connected');
  await until(own, campaign, { waiting_for: null });
  expect(await waitingByPhone(own)).toEqual({ [second.id]: 4 });
});

test("no more than the other phone's maximum leaves, and none of a campaign that is paused", async () => {
  const { own, campaign, first, second } = await stuckScene(6);
  await app.ctx.pool.query('update phones set max_daily_messages = 4 where id = $1', [second.id]);
  await setPhoneStatus(own, first.id, 'auth_failed');
  await until(own, campaign, { waiting_for: 'no_connected_phone' });
  expect(await waitingByPhone(own)).toEqual({ [first.id]: 2, [second.id]: 4 });
  await own.customer.api.call(pauseCampaign, { params: { campaignId: campaign.id } });
  expect(await waitingByPhone(own)).toEqual({});
});
