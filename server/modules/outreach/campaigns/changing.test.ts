import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cancelCampaign,
  deleteCampaign,
  getCampaign,
  pauseCampaign,
  resumeCampaign,
  updateCampaign,
} from '#contracts/campaigns.ts';
import type { Campaign, CampaignChange } from '#contracts/campaigns.ts';
import { deleteSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeSegment } from '#tests/support/audience.ts';
import {
  create,
  emptySegment,
  holdPhone,
  makeScene,
  recipients,
  releasePhone,
  textsOf,
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

const change = async (own: Scene, { id }: Campaign, body: CampaignChange) =>
  (await own.customer.api.call(updateCampaign, { params: { campaignId: id }, body })).body;
const refuseChange = async (own: Scene, { id }: Campaign, body: CampaignChange) => {
  const { status, body: problem } = await own.customer.api.refuse(updateCampaign, {
    params: { campaignId: id },
    body,
  });
  return { status, code: problem.code };
};

test('before the first message all of it, and another segment gets a new snapshot', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', total_count: 3 });
  const other = await makeSegment(own.customer, 'Person 2', 'name');
  await change(own, campaign, { name: 'Summer', segment_id: other.id, message: 'Bye {name}' });
  await until(own, campaign, { name: 'Summer', status: 'running', total_count: 1, segment_name: 'Group Person 2' });
  expect((await recipients(own, campaign)).data.map(({ name }) => name)).toEqual(['Person 2']);
  await connectSandboxPhone(own.customer, own.projectId);
  await until(own, campaign, { status: 'completed', sent_count: 1 });
  expect(await textsOf(own)).toEqual({ 14155551003: 'Bye Person 2' });
});

test('after it the name and the text; what repeats itself is no conflict', async () => {
  const own = await makeScene(app, 8, { hasPhone: false });
  await connectSandboxPhone(own.customer, own.projectId, { max_daily_messages: 3 });
  const campaign = await create(own);
  await until(own, campaign, { sent_count: 3, waiting_for: 'daily_limit' });
  const other = await emptySegment(own.customer);
  expect(await refuseChange(own, campaign, { segment_id: other.id })).toEqual({
    status: 409,
    code: 'campaign_started',
  });
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(await refuseChange(own, campaign, { when: soon })).toEqual({ status: 409, code: 'campaign_started' });
  const same = { ...own.body, when: null, duration: null };
  expect(await change(own, campaign, same)).toMatchObject({ status: 'running', sent_count: 3 });
  expect(await change(own, campaign, { ...same, name: 'Renamed', message: 'Later {name}' })).toMatchObject({
    name: 'Renamed',
  });
  await connectSandboxPhone(own.customer, own.projectId);
  await until(own, campaign, { status: 'completed', sent_count: 8 });
  const texts = Object.values(await textsOf(own));
  expect(texts.filter((text) => text.startsWith('Hello'))).toHaveLength(3);
  expect(texts.filter((text) => text.startsWith('Later'))).toHaveLength(5);
  expect(await change(own, campaign, { ...same, name: 'Over', message: 'Later {name}' })).toMatchObject({
    name: 'Over',
  });
  for (const late of [{ message: 'Too late' }, { segment_id: other.id }, { duration: 5 }, { when: soon }]) {
    expect(await refuseChange(own, campaign, late)).toEqual({ status: 409, code: 'campaign_finished' });
  }
});

test('a message that a phone has and that has not gone out gets the new text, too', async () => {
  const own = await makeScene(app, [{ name: 'Ada', custom_fields: { code: 'A1' } }, { name: 'Grace' }], {
    hasPhone: false,
  });
  const phone = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(own, { message: 'Old {name}' });
  await expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(2);
  await change(own, campaign, { message: '{code}' });
  expect((await recipients(own, campaign)).data.map(({ status, error }) => [status, error])).toEqual([
    ['pending', null],
    ['skipped', 'The message is empty for this profile'],
  ]);
  await releasePhone(app, phone.id);
  await until(own, campaign, { status: 'completed', sent_count: 1, skipped_count: 1 });
  expect(await textsOf(own)).toMatchObject({ 14155552002: 'A1' });
});

test('paused, nobody more gets it until it is resumed', async () => {
  const own = await makeScene(app, 6, { hasPhone: false });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', total_count: 6 });
  const params = { campaignId: campaign.id };
  const { body: paused } = await own.customer.api.call(pauseCampaign, { params });
  expect(paused).toMatchObject({ status: 'paused', waiting_for: null });
  expect((await own.customer.api.refuse(pauseCampaign, { params })).body.code).toBe('campaign_not_running');
  await connectSandboxPhone(own.customer, own.projectId);
  await app.ctx.pool.query(`select pg_notify('dovepost_campaigns', $1)`, [
    JSON.stringify([own.customer.id, campaign.id]),
  ]);
  const { body: resumed } = await own.customer.api.call(resumeCampaign, { params });
  expect(resumed).toMatchObject({ status: 'running', sent_count: 0 });
  expect((await own.customer.api.refuse(resumeCampaign, { params })).body.code).toBe('campaign_not_paused');
  await until(own, campaign, { status: 'completed', sent_count: 6 });
});

test('paused, what is with a phone that has not tried to send it waits again, and leaves no trace', async () => {
  const own = await makeScene(app, 5, { hasPhone: false });
  const phone = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(own);
  await expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(5);
  // A message among them may have gone out already.
  await app.ctx.pool.query(
    `update messages set status = 'sending', network_id = 'x' where account_id = $1 and recipient = '14155551004'`,
    [own.customer.id],
  );
  const params = { campaignId: campaign.id };
  await own.customer.api.call(pauseCampaign, { params });
  expect((await recipients(own, campaign)).data.map(({ status, message_id: id }) => [status, id !== null])).toEqual(
    [2, 3, 4, 5, 6].map((number) => (number === 4 ? ['pending', true] : ['waiting', false])),
  );
  expect(await recipients(own, campaign, { status: 'waiting' })).toMatchObject({ total: 4, data: [{}, {}, {}, {}] });
  expect(await textsOf(own)).toEqual({ 14155551004: 'Hello Person 3!' });
  await app.ctx.pool.query(`update messages set status = 'pending' where account_id = $1`, [own.customer.id]);
  await own.customer.api.call(resumeCampaign, { params });
  await releasePhone(app, phone.id);
  await until(own, campaign, { status: 'completed', sent_count: 5, skipped_count: 0, failed_count: 0 });
  expect(Object.keys(await textsOf(own))).toHaveLength(5);
});

test('cancelled, whoever waits is skipped, what is with a phone is taken back, and what went out stays', async () => {
  const own = await makeScene(app, 8, { hasPhone: false });
  const first = await connectSandboxPhone(own.customer, own.projectId, { max_daily_messages: 2 });
  const campaign = await create(own);
  await until(own, campaign, { sent_count: 2, waiting_for: 'daily_limit' });
  const second = await connectSandboxPhone(own.customer, own.projectId, { max_daily_messages: 3 });
  expect(second.id).not.toBe(first.id);
  await until(own, campaign, { sent_count: 5, waiting_count: 3 });
  const params = { campaignId: campaign.id };
  await own.customer.api.call(cancelCampaign, { params });
  await until(own, campaign, { status: 'cancelled', sent_count: 5, skipped_count: 3, waiting_count: 0 });
  expect(await recipients(own, campaign, { status: 'waiting' })).toMatchObject({ total: 0, data: [] });
  const skipped = await recipients(own, campaign, { status: 'skipped' });
  expect(skipped.data.map(({ error }) => error)).toEqual(Array(3).fill('The campaign was cancelled'));
  expect((await own.customer.api.refuse(cancelCampaign, { params })).body.code).toBe('campaign_finished');
});

test('cancelled with messages that wait for a phone: they are never sent', async () => {
  const own = await makeScene(app, 4, { hasPhone: false });
  const phone = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(own);
  await expect.poll(async () => (await recipients(own, campaign, { status: 'pending' })).total).toBe(4);
  await own.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  await until(own, campaign, { status: 'cancelled', skipped_count: 4, failed_count: 0, waiting_count: 0 });
  await releasePhone(app, phone.id);
  const { rows } = await app.ctx.pool.query('select distinct status, error from messages where campaign_id = $1', [
    campaign.id,
  ]);
  expect(rows).toEqual([{ status: 'failed', error: 'The campaign was cancelled' }]);
});

test('deleted in the middle: what went out stays in the records, and nobody more gets it', async () => {
  const own = await makeScene(app, 9, { hasPhone: false });
  await connectSandboxPhone(own.customer, own.projectId, { max_daily_messages: 4 });
  const campaign = await create(own);
  await until(own, campaign, { sent_count: 4, waiting_for: 'daily_limit' });
  const params = { campaignId: campaign.id };
  expect((await own.customer.api.call(deleteCampaign, { params })).status).toBe(204);
  expect((await own.customer.api.refuse(getCampaign, { params })).status).toBe(404);
  await connectSandboxPhone(own.customer, own.projectId);
  expect(Object.keys(await textsOf(own))).toHaveLength(4);
  const { rows } = await app.ctx.pool.query('select count(*) as left from campaign_recipients where campaign_id = $1', [
    campaign.id,
  ]);
  expect(rows).toEqual([{ left: 0 }]);
});

test('its segment deleted before its snapshot was taken: failed; afterwards it does not matter', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const running = await create(own);
  await until(own, running, { status: 'running', total_count: 3 });
  const when = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await create(own, { when });
  await own.customer.api.call(deleteSegment, { params: { segmentId: own.segmentId } });
  await until(own, scheduled, { status: 'failed', error: 'The segment was deleted', segment_name: null });
  expect(await change(own, running, own.body)).toMatchObject({ status: 'running', segment_name: null });
  await connectSandboxPhone(own.customer, own.projectId);
  await until(own, running, { status: 'completed', sent_count: 3 });
});
