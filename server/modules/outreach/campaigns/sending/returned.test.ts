import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBulkRun, getBulkRun, pauseBulkRun, startBulkRun, stopBulkRun } from '#contracts/bulk-runs.ts';
import { cancelCampaign, pauseCampaign } from '#contracts/campaigns.ts';
import { settleMessages } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, holdPhone, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function stuckCampaign() {
  const own = await makeScene(app, 2, { hasPhone: false });
  const { id: phoneId } = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phoneId);
  const campaign = await create(own);
  await expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(2);
  return { own, campaign, phoneId, accountId: own.customer.id };
}

type Stuck = { phoneId: number; accountId: number };

/** A phone is sending one of them. */
const beginSending = ({ phoneId }: Pick<Stuck, 'phoneId'>) =>
  app.ctx.pool.query(
    `update messages set status = 'sending', network_id = 'under-way'
      where id = (select min(id) from messages where phone_id = $1)`,
    [phoneId],
  );

/** The network refuses it for what its phone did. */
const refuse = (authority: Stuck) =>
  settleMessages(app.ctx, [
    {
      authority: { kind: 'webhook', ...authority },
      networkId: 'under-way',
      news: {
        kind: 'outcome',
        outcome: { kind: 'held', code: 'account_restricted', reason: 'New chats are locked', until: new Date() },
      },
      resendIsHarmless: true,
    },
  ]);

const open = async ({ phoneId }: Pick<Stuck, 'phoneId'>) =>
  (
    await app.ctx.pool.query<{ status: string }>(
      `select status from messages where phone_id = $1 and status in ('pending', 'sending')`,
      [phoneId],
    )
  ).rows.map(({ status }) => status);

test('a message under way as its campaign is paused goes back to the campaign once the network refuses it', async () => {
  const stuck = await stuckCampaign();
  const { own, campaign } = stuck;
  await beginSending(stuck);
  await own.customer.api.call(pauseCampaign, { params: { campaignId: campaign.id } });
  expect(await open(stuck)).toEqual(['sending']);
  await refuse(stuck);
  await expect.poll(() => open(stuck)).toEqual([]);
  const waiting = await until(own, campaign, { status: 'paused', waiting_count: 2, sent_count: 0 });
  expect(waiting.failed_count).toBe(0);
});

test('of a campaign that was cancelled it is withdrawn', async () => {
  const stuck = await stuckCampaign();
  const { own, campaign } = stuck;
  await beginSending(stuck);
  await own.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  await refuse(stuck);
  await expect.poll(() => open(stuck)).toEqual([]);
  await until(own, campaign, { status: 'cancelled', sent_count: 0, skipped_count: 2 });
});

test.each([
  [pauseBulkRun, { status: 'paused', waiting_count: 2 }],
  [stopBulkRun, { status: 'stopped', skipped_count: 2 }],
] as const)('a bulk run takes it back as well: $path', async (verb, expected) => {
  const { customer, projectId } = await makeScene(app, 0, { hasPhone: false });
  const { id: phoneId } = await connectSandboxPhone(customer, projectId);
  await holdPhone(app, phoneId);
  const { body: run } = await customer.api.call(createBulkRun, { body: { project_id: projectId, message: 'Hi' } });
  const params = { runId: run.id };
  await fetch(`${app.url}/api/bulk-runs/${run.id}/rows`, {
    method: 'PUT',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: 'Phone\n+34613300106\n+34613300107',
  });
  await customer.api.call(startBulkRun, { params });
  await expect.poll(() => open({ phoneId })).toEqual(['pending', 'pending']);
  await beginSending({ phoneId });
  await customer.api.call(verb, { params });
  await refuse({ phoneId, accountId: customer.id });
  await expect.poll(() => open({ phoneId })).toEqual([]);
  await expect.poll(async () => (await customer.api.call(getBulkRun, { params })).body).toMatchObject(expected);
});
