import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, holdPhone, makeScene, recipients, releasePhone, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Stuck = { own: Scene; campaign: Campaign; phoneId: number };

/** A campaign whose messages wait for a phone that sends nothing yet. */
async function stuckScene(people: number): Promise<Stuck> {
  const own = await makeScene(app, people, { hasPhone: false });
  const { id: phoneId } = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phoneId);
  const campaign = await create(own);
  await untilPending({ own, campaign }, people);
  return { own, campaign, phoneId };
}

const untilPending = ({ own, campaign }: Pick<Stuck, 'own' | 'campaign'>, count: number) =>
  expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(count);

async function counted({ phoneId }: Stuck): Promise<[daily: number, all: number]> {
  const row = await app.ctx.db
    .selectFrom('phones')
    .select(['daily_count', 'message_count'])
    .where('id', '=', phoneId)
    .executeTakeFirstOrThrow();
  return [row.daily_count, row.message_count];
}

const act = ({ own, campaign }: Stuck, verb: typeof pauseCampaign | typeof resumeCampaign | typeof cancelCampaign) =>
  own.customer.api.call(verb, { params: { campaignId: campaign.id } });

test('paused and resumed over and over, a phone has counted what it sent and no more', async () => {
  const stuck = await stuckScene(8);
  for (let round = 0; round < 4; round += 1) {
    expect(await counted(stuck)).toEqual([8, 8]);
    await act(stuck, pauseCampaign);
    expect(await counted(stuck)).toEqual([0, 0]);
    await act(stuck, resumeCampaign);
    await untilPending(stuck, 8);
  }
  await releasePhone(app, stuck.phoneId);
  await until(stuck.own, stuck.campaign, { status: 'completed', sent_count: 8 });
  expect(await counted(stuck)).toEqual([8, 8]);
});

test('cancelled, what no phone has tried to send is counted no longer; what one has tried is', async () => {
  const stuck = await stuckScene(5);
  await app.ctx.pool.query(
    `update messages set status = 'sending', network_id = 'tried' || id
      where id in (select id from messages where phone_id = $1 order by id limit 2)`,
    [stuck.phoneId],
  );
  await act(stuck, cancelCampaign);
  expect(await counted(stuck)).toEqual([2, 2]);
});

test("another day's count stays as it is", async () => {
  const stuck = await stuckScene(3);
  await app.ctx.pool.query(`update phones set count_day = count_day + 1, daily_count = 7 where id = $1`, [
    stuck.phoneId,
  ]);
  await act(stuck, pauseCampaign);
  expect(await counted(stuck)).toEqual([7, 0]);
});
