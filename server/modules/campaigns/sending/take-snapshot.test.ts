import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, makeScene } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { cancelCampaign } from '#contracts/campaigns.ts';
import { takeSnapshot } from './take-snapshot.ts';

// No worker takes it before the test does.
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const take = ({ customer }: Scene, { id }: Campaign, signal = new AbortController().signal) =>
  takeSnapshot(app.ctx, { accountId: customer.id, campaignId: id }, signal);

test('one process at a time takes it, and the others are told that it is under way elsewhere', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const campaign = await create(own);
  const other = await app.ctx.pool.connect();
  try {
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtextextended('campaign snapshot', $1))`, [campaign.id]);
    expect(await take(own, campaign)).toBe('elsewhere');
    expect((await get(own, campaign)).status).toBe('creating');
    await other.query('rollback');
  } finally {
    other.release();
  }
  expect(await take(own, campaign)).toBe('done');
  expect(await get(own, campaign)).toMatchObject({ status: 'running', total_count: 3 });
  expect(await take(own, campaign)).toBe('done');
  expect((await get(own, campaign)).total_count).toBe(3);
});

test('cancelled, or broken off, nothing of it is left', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const campaign = await create(own);
  await take(own, campaign, AbortSignal.abort());
  expect((await get(own, campaign)).status).toBe('creating');
  await own.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  expect(await take(own, campaign)).toBe('done');
  expect(await get(own, campaign)).toMatchObject({ status: 'cancelled', total_count: 0 });
  const { rows } = await app.ctx.pool.query('select from campaign_recipients where campaign_id = $1', [campaign.id]);
  expect(rows).toEqual([]);
});
