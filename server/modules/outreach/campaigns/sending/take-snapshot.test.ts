import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCampaign, updateCampaign } from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { createProfile } from '#contracts/profiles.ts';
import { deleteSegment, updateSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeSegment } from '#tests/support/audience.ts';
import { skipText } from '#server/modules/outreach/recipients/index.ts';
import { create, get, makeScene, recipients } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { takeSlice } from './take-snapshot.ts';
import type { SliceBounds } from './take-snapshot.ts';

// No worker takes it before the test does.
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const signal = new AbortController().signal;
const take = (
  { customer }: Scene,
  { id }: Campaign,
  slice: { size?: number; long?: SliceBounds; signal?: AbortSignal } = {},
) => takeSlice(app.ctx, { accountId: customer.id, campaignId: id }, { size: 2, signal, ...slice });

async function ledgerOf({ id }: Campaign): Promise<string[]> {
  const { rows } = await app.ctx.pool.query<{ name: string }>(
    `select coalesce(p.name, '') as name from campaign_recipients r left join profiles p on p.id = r.profile_id
      where campaign_id = $1 order by profile_id`,
    [id],
  );
  return rows.map(({ name }) => name.replace('Person ', ''));
}

const makeOwn = (people: number) => makeScene(app, people, { hasPhone: false });

test('a single process at a time takes the snapshot, and the others learn that it is under way elsewhere', async () => {
  const own = await makeOwn(2);
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
  expect(await take(own, campaign, { size: 3 })).toBe('done');
  expect(await get(own, campaign)).toMatchObject({ status: 'running', total_count: 2 });
  expect(await take(own, campaign)).toBe('done');
  expect((await get(own, campaign)).total_count).toBe(2);
});

test('in slices: nobody sees one before the last, and each member is there once', async () => {
  const own = await makeOwn(5);
  const campaign = await create(own);
  for (const read of [2, 4]) {
    expect(await take(own, campaign)).toBe('more');
    expect(await ledgerOf(campaign)).toHaveLength(read);
    expect(await get(own, campaign)).toMatchObject({ status: 'creating', total_count: 0, waiting_count: 0 });
    expect(await recipients(own, campaign)).toMatchObject({ data: [], total: 0 });
  }
  expect(await take(own, campaign)).toBe('done');
  expect(await get(own, campaign)).toMatchObject({ status: 'running', total_count: 5, waiting_count: 5 });
  expect(await ledgerOf(campaign)).toEqual(['1', '2', '3', '4', '5']);
  expect((await recipients(own, campaign)).data).toHaveLength(5);
});

test('a long slice takes all whom an index finds, and at most so many members', async () => {
  const own = await makeOwn(5);
  const atOnce = await create(own);
  expect(await take(own, atOnce, { long: { profiles: 5, members: 6 } })).toBe('done');
  expect(await ledgerOf(atOnce)).toEqual(['1', '2', '3', '4', '5']);
  const byMembers = await create(own);
  const long = { profiles: 5, members: 2 };
  expect(await take(own, byMembers, { long })).toBe('full');
  expect(await ledgerOf(byMembers)).toEqual(['1', '2']);
  expect(await take(own, byMembers, { long })).toBe('full');
  expect(await take(own, byMembers, { long })).toBe('done');
  expect(await ledgerOf(byMembers)).toEqual(['1', '2', '3', '4', '5']);
  expect(await get(own, byMembers)).toMatchObject({ status: 'running', total_count: 5, waiting_count: 5 });
  const byProfiles = await create(own);
  expect(await take(own, byProfiles, { long: { profiles: 3, members: 6 } })).toBe('more');
  expect(await ledgerOf(byProfiles)).toEqual(['1', '2', '3']);
  // The other way goes on from there.
  expect(await take(own, byProfiles)).toBe('done');
  expect(await ledgerOf(byProfiles)).toEqual(['1', '2', '3', '4', '5']);
});

test('the numbers of the lists are skipped in a long slice as in short ones', async () => {
  const own = await makeOwn(4);
  const phones = await app.ctx.db
    .selectFrom('profiles')
    .select('phone')
    .where('account_id', '=', own.customer.id)
    .orderBy('id')
    .execute();
  const listed = { account_id: own.customer.id, phone: phones[1]?.phone ?? '' };
  await app.ctx.pool.query(
    `insert into marketing_stops (account_id, phone_key, phone, is_stopped, said_at) values ($1, phone_key($2), $2, true, now())`,
    [listed.account_id, listed.phone],
  );
  const reasons = [];
  for (const long of [undefined, { profiles: 4, members: 9 }]) {
    const campaign = await create(own);
    while ((await take(own, campaign, long && { long })) !== 'done');
    const { rows } = await app.ctx.pool.query<{ status: string; reason: string | null }>(
      'select status, reason from campaign_recipients where campaign_id = $1 order by profile_id',
      [campaign.id],
    );
    reasons.push(rows.map(({ status, reason }) => [status, reason]));
  }
  expect(reasons[0]?.[1]).toEqual(['skipped', skipText('opted_out')]);
  expect(reasons[1]).toEqual(reasons[0]);
});

test('the members are those of the condition and the profiles that there were when it began', async () => {
  const own = await makeOwn(3);
  const campaign = await create(own);
  expect(await take(own, campaign)).toBe('more');
  const body = { name: 'Nobody', condition: { fieldPath: 'name', operator: 'equals', value: 'nobody' } } as const;
  await own.customer.api.call(updateSegment, { params: { segmentId: own.segmentId }, body });
  await own.customer.api.call(createProfile, { body: { phone: '14155559876', custom_fields: { group: 'all' } } });
  expect(await take(own, campaign)).toBe('done');
  expect(await ledgerOf(campaign)).toEqual(['1', '2', '3']);
});

test('broken off, nothing of the slice is left, and the next goes on after the one before', async () => {
  const own = await makeOwn(5);
  const campaign = await create(own);
  await take(own, campaign);
  await take(own, campaign, { signal: AbortSignal.abort() });
  expect(await ledgerOf(campaign)).toEqual(['1', '2']);
  expect((await get(own, campaign)).status).toBe('creating');
  expect(await take(own, campaign)).toBe('more');
  expect(await take(own, campaign)).toBe('done');
  expect(await ledgerOf(campaign)).toEqual(['1', '2', '3', '4', '5']);
});

test('cancelled between two slices, nothing of it is left', async () => {
  const own = await makeOwn(3);
  const campaign = await create(own);
  await take(own, campaign);
  await own.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  expect(await ledgerOf(campaign)).toEqual([]);
  expect(await take(own, campaign)).toBe('done');
  expect(await get(own, campaign)).toMatchObject({ status: 'cancelled', total_count: 0 });
  expect(await recipients(own, campaign)).toMatchObject({ data: [], total: 0 });
});

test('cancelled while a slice is being read, nothing of it is left', async () => {
  const own = await makeOwn(3);
  const campaign = await create(own);
  await take(own, campaign);
  const other = await app.ctx.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from campaigns where id = $1 for update', [campaign.id]);
    const reading = take(own, campaign);
    await expect
      .poll(async () => (await app.ctx.pool.query(`select from pg_locks where not granted`)).rowCount)
      .toBeGreaterThan(0);
    await other.query('delete from campaign_recipients where campaign_id = $1', [campaign.id]);
    await other.query(`update campaigns set status = 'cancelled', snapshot_after = null where id = $1`, [campaign.id]);
    await other.query('commit');
    expect(await reading).toBe('done');
  } finally {
    other.release();
  }
  expect(await ledgerOf(campaign)).toEqual([]);
});

test('with another segment between two slices it begins anew', async () => {
  const own = await makeOwn(3);
  const campaign = await create(own);
  await take(own, campaign);
  const { id: segmentId } = await makeSegment(own.customer, 'Person 3', 'name');
  await own.customer.api.call(updateCampaign, {
    params: { campaignId: campaign.id },
    body: { segment_id: segmentId },
  });
  expect(await take(own, campaign)).toBe('more');
  expect(await take(own, campaign)).toBe('done');
  expect(await ledgerOf(campaign)).toEqual(['3']);
  expect(await get(own, campaign)).toMatchObject({ status: 'running', total_count: 1 });
});

test('its segment deleted between two slices, it fails and nothing of it is left', async () => {
  const own = await makeOwn(3);
  const campaign = await create(own);
  await take(own, campaign);
  await own.customer.api.call(deleteSegment, { params: { segmentId: own.segmentId } });
  expect(await get(own, campaign)).toMatchObject({ status: 'failed', error: 'The segment was deleted' });
  expect(await ledgerOf(campaign)).toEqual([]);
  expect(await take(own, campaign)).toBe('done');
});
