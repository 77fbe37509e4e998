import { afterAll, beforeAll, expect, test } from 'vitest';
import { retryFailedRecipients, updateCampaign } from '#contracts/campaigns.ts';
import { updateProfile } from '#contracts/profiles.ts';
import { createSegment, deleteSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import {
  create,
  holdPhone,
  makeScene,
  recipients,
  releasePhone,
  textsOf,
  until,
} from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Case = { recheck: boolean | null; waitedMinutes: number; isSkipped: boolean };

test.each<Case>([
  { recheck: null, waitedMinutes: 0, isSkipped: false },
  { recheck: null, waitedMinutes: 61, isSkipped: true },
  { recheck: false, waitedMinutes: 61, isSkipped: false },
  { recheck: true, waitedMinutes: 0, isSkipped: true },
])(
  'a recipient who has left the segment, $recheck after $waitedMinutes minutes: skipped is $isSkipped',
  async (given) => {
    const own = await makeScene(app, [{ name: 'Ada' }, { name: 'Grace' }], { hasPhone: false });
    const campaign = await create(own);
    await until(own, campaign, { status: 'running', total_count: 2 });
    const params = { campaignId: campaign.id };
    const { body } = await own.customer.api.call(updateCampaign, { params, body: { recheck_members: given.recheck } });
    expect(body.recheck_members).toBe(given.recheck);
    const [first] = (await recipients(own, campaign)).data;
    await own.customer.api.call(updateProfile, {
      params: { profileId: first?.profile_id ?? 0 },
      body: { custom_fields: { group: 'other' } },
    });
    await app.ctx.pool.query(
      `update campaigns set snapshot_at = snapshot_at - $2 * interval '1 minute' where id = $1`,
      [campaign.id, given.waitedMinutes],
    );
    await connectSandboxPhone(own.customer, own.projectId);
    await until(own, campaign, { status: 'completed', sent_count: given.isSkipped ? 1 : 2 });
    expect(Object.values(await textsOf(own))).toEqual(
      given.isSkipped ? ['Hello Grace!'] : expect.arrayContaining(['Hello Ada!', 'Hello Grace!']),
    );
    expect((await recipients(own, campaign)).data[0]).toMatchObject(
      given.isSkipped ? { status: 'skipped', error: 'No longer in the segment' } : { status: 'sent', error: null },
    );
  },
);

test.each([
  ['somebody who left while the message waited for its phone', false],
  ['the same after the segment was deleted', true],
])('%s gets nothing', async (_case, isDeleted) => {
  const own = await makeScene(app, [{ name: 'Ada' }, { name: 'Grace' }], { hasPhone: false });
  const phone = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(own, { recheck_members: true });
  await until(own, campaign, { status: 'running', total_count: 2 });
  const queued = async () =>
    (await app.ctx.pool.query(`select id from messages where campaign_id = $1 and status = 'pending'`, [campaign.id]))
      .rows;
  await expect.poll(async () => (await queued()).length).toBe(2);
  const [first] = (await recipients(own, campaign)).data;
  await own.customer.api.call(updateProfile, {
    params: { profileId: first?.profile_id ?? 0 },
    body: { custom_fields: { group: 'other' } },
  });
  if (isDeleted) {
    await own.customer.api.call(deleteSegment, { params: { segmentId: campaign.segment_id }, query: {} } as never);
  }
  await releasePhone(app, phone.id);
  await until(own, campaign, { status: 'completed', sent_count: 1, skipped_count: 1 });
  expect((await recipients(own, campaign)).data[0]).toMatchObject({
    status: 'skipped',
    error: 'No longer in the segment',
  });
});

test('a recipient who failed is tried again though a segment that the campaign leaves out was deleted since', async () => {
  const own = await makeScene(app, [{ phone: '14155550002' }, { name: 'Grace' }]);
  const expression = { field: 'tags', op: 'includes' as const, value: 'staff' };
  const { body: staff } = await own.customer.api.call(createSegment, { body: { name: 'Staff', expression } });
  const campaign = await create(own, { exclude_segment_ids: [staff.id], recheck_members: true });
  await until(own, campaign, { status: 'completed', sent_count: 1, failed_count: 1 });
  await own.customer.api.call(deleteSegment, { params: { segmentId: staff.id } });
  await own.customer.api.call(retryFailedRecipients, { params: { campaignId: campaign.id } });
  await until(own, campaign, { status: 'completed', sent_count: 1, failed_count: 1, skipped_count: 0 });
});
