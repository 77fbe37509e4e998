import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCampaign, listCampaigns, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import type { NewCampaign } from '#contracts/campaigns.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createSegment, deleteSegment, listSegments } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, makeScene, textsOf, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const people = [
  { name: 'Ada', tags: ['vip'], custom_fields: { city: 'Madrid' } },
  { name: 'Ben', tags: ['vip', 'beta'], custom_fields: { city: 'Madrid' } },
  { name: 'Cleo', custom_fields: { city: 'Boston' } },
];
const inMadrid: Expression = { field: 'custom_fields.city', op: 'equals', value: 'madrid' };

async function beta({ customer }: Scene): Promise<number> {
  const expression: Expression = { field: 'tags', op: 'includes', value: 'beta' };
  return (await customer.api.call(createSegment, { body: { name: 'Beta', expression } })).body.id;
}

/** The scene's campaign without its segment. */
const withoutSegment = ({ body }: Scene): NewCampaign => ({ ...body, segment_id: null });

const names = async (scene: Scene) =>
  Object.values(await textsOf(scene))
    .map((text) => text.replace(/^Hello |!$/g, ''))
    .toSorted();

/** The condition that the release before would go by. */
async function oldCondition(campaignId: number) {
  const { rows } = await app.ctx.pool.query(
    `select s.field_path, s.operator, s.value from campaigns c
       join segments s on s.account_id = c.account_id and s.id = c.segment_id where c.id = $1`,
    [campaignId],
  );
  return rows[0];
}

test('a campaign goes to whom its own expression finds, without the members of the segments it leaves out', async () => {
  const scene = await makeScene(app, people);
  const left = await beta(scene);
  const body = { ...withoutSegment(scene), expression: inMadrid, exclude_segment_ids: [left] };
  const { body: review } = await scene.customer.api.call(previewCampaign, {
    body: { project_id: scene.projectId, expression: inMadrid, exclude_segment_ids: [left], message: 'Hello' },
  });
  expect(review).toMatchObject({ will_receive: 1 });

  const { body: campaign } = await scene.customer.api.call(createCampaign, { body });
  expect(campaign).toMatchObject({
    segment_id: null,
    segment_name: null,
    expression: inMadrid,
    exclude_segment_ids: [left],
  });
  // A process of the release before finds nobody for it.
  expect(await oldCondition(campaign.id)).toEqual({ field_path: 'status', operator: 'equals', value: '' });
  await until(scene, campaign, { status: 'completed', total_count: 1 });
  expect(await names(scene)).toEqual(['Ada']);
});

test('a segment stands with the segments that are left out, and the list by segment still finds the campaign', async () => {
  const scene = await makeScene(app, people);
  const left = await beta(scene);
  const campaign = await create(scene, { exclude_segment_ids: [left] });
  expect(campaign).toMatchObject({ segment_id: scene.segmentId, expression: null, exclude_segment_ids: [left] });
  expect(campaign.segment_name).not.toBeNull();
  await until(scene, campaign, { status: 'completed', total_count: 2 });
  expect(await names(scene)).toEqual(['Ada', 'Cleo']);
  const { body: list } = await scene.customer.api.call(listCampaigns, { query: { segment_id: scene.segmentId } });
  expect(list.data.map(({ id }) => id)).toEqual([campaign.id]);
  const { body: segments } = await scene.customer.api.call(listSegments, { query: {} });
  expect(segments.data.map(({ name }) => name)).not.toContain(campaign.name);
});

test('a segment that an unfinished campaign goes by is not deleted under it', async () => {
  const scene = await makeScene(app, people, { hasPhone: false });
  const left = await beta(scene);
  const campaign = await create(scene, { exclude_segment_ids: [left], when: '2099-01-01T00:00:00Z' });
  const refused = await scene.customer.api.refuse(deleteSegment, { params: { segmentId: left } });
  expect([refused.status, refused.body.code]).toEqual([409, 'segment_in_use']);
  const params = { campaignId: campaign.id };
  await scene.customer.api.call(updateCampaign, { params, body: { exclude_segment_ids: [] } });
  await scene.customer.api.call(deleteSegment, { params: { segmentId: left } });
});

test('an answer can be sent back, and each kind can become the other', async () => {
  const scene = await makeScene(app, people, { hasPhone: false });
  const { api } = scene.customer;
  const first = await create(scene, { when: '2099-01-01T00:00:00Z' });
  const params = { campaignId: first.id };
  const change = async (body: object) => (await api.call(updateCampaign, { params, body })).body;
  const own = await change({ expression: inMadrid });
  expect(own).toMatchObject({ segment_id: null, expression: inMadrid });
  expect(await change({ ...own, name: 'Renamed' })).toMatchObject({ name: 'Renamed', expression: inMadrid });
  expect(await change({ segment_id: scene.segmentId })).toMatchObject({
    segment_id: scene.segmentId,
    expression: null,
    exclude_segment_ids: [],
  });
  expect(await get(scene, first)).toEqual((await api.call(getCampaign, { params })).body);
  const { rows } = await app.ctx.pool.query('select from segments where account_id = $1 and is_own', [
    scene.customer.id,
  ]);
  expect(rows).toHaveLength(0);
});

test.each<[string, object, string[]]>([
  ['neither', {}, ['segment_id']],
  ['both', { segment_id: 1, expression: inMadrid }, ['expression']],
  [
    'a field that no profile has',
    { expression: { field: 'custom_fields.nowhere', op: 'exists' } },
    ['expression.field'],
  ],
  ['a segment that is not there', { expression: inMadrid, exclude_segment_ids: [999_999] }, ['exclude_segment_ids.0']],
])('%s is a 422 that names the place', async (_name, audience, paths) => {
  const scene = await makeScene(app, people, { hasPhone: false });
  const refused = await scene.customer.api.refuse(createCampaign, {
    body: { ...withoutSegment(scene), ...audience },
  });
  expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([422, paths]);
});
