import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { createFlow, getFlow, listDeliveries, previewFlow, previewFlowCount, updateFlow } from '#contracts/flows.ts';
import { startBulkAction } from '#contracts/bulk-actions.ts';
import { createSegment, deleteSegment } from '#contracts/segments.ts';
import { exportProfiles, listProfiles } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeScene } from '#tests/support/campaign-scene.ts';

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

async function makeShop() {
  const scene = await makeScene(app, people);
  const { api } = scene.customer;
  const expression: Expression = { field: 'tags', op: 'includes', value: 'beta' };
  const { id: left } = (await api.call(createSegment, { body: { name: 'Beta', expression } })).body;
  const action = { type: 'send_message', projectId: scene.projectId, message: 'Hello {name}!' } as const;
  return { api, left, action, headers: { authorization: scene.customer.token } };
}

test('a flow writes to whom its expression finds, without the members of the segments it leaves out', async () => {
  const { api, left, action } = await makeShop();
  const audience = { expression: inMadrid, exclude_segment_ids: [left] };
  expect((await api.call(previewFlowCount, { body: audience })).body).toMatchObject({ count: 1, warning: null });
  const preview = { ...audience, message: 'Hello', project_id: action.projectId };
  expect((await api.call(previewFlow, { body: preview })).body).toMatchObject({ will_receive: 1 });

  const { body: flow } = await api.call(createFlow, { body: { name: 'Madrid', ...audience, action } });
  expect(flow).toMatchObject({ conditions: [], duration: null, ...audience });
  const { rows } = await app.ctx.pool.query('select conditions from flows where id = $1', [flow.id]);
  // A process of the release before finds nobody for it.
  expect(rows[0].conditions).toEqual([{ fieldPath: 'status', operator: 'equals', value: '' }]);
  const params = { flowId: flow.id };
  await expect
    .poll(async () => (await api.call(getFlow, { params })).body.counts)
    .toMatchObject({ sent: 1, waiting: 0 });
  const { body } = await api.call(listDeliveries, { params, query: {} });
  expect(body.deliveries.map((delivery) => delivery.profile_name)).toEqual(['Ada']);

  const refused = await api.refuse(deleteSegment, { params: { segmentId: left } });
  expect([refused.status, refused.body.code]).toEqual([409, 'segment_in_use']);
});

test('conditions stand with segments that are left out; an answer can be sent back, and each kind becomes the other', async () => {
  const { api, left, action } = await makeShop();
  const conditions = [{ fieldPath: 'custom_fields.city', operator: 'exists' as const, value: '' }];
  const body = { name: 'All', conditions, exclude_segment_ids: [left], action, active: false };
  const { body: flow } = await api.call(createFlow, { body });
  expect(flow).toMatchObject({ conditions, expression: null, exclude_segment_ids: [left] });
  expect((await api.call(previewFlowCount, { body: { conditions, exclude_segment_ids: [left] } })).body.count).toBe(2);
  const params = { flowId: flow.id };
  const change = async (given: object) => (await api.call(updateFlow, { params, body: given })).body;
  const own = await change({ expression: inMadrid });
  expect(own).toMatchObject({ conditions: [], expression: inMadrid, exclude_segment_ids: [left], duration: null });
  expect(await change({ ...own, name: 'Renamed' })).toMatchObject({ name: 'Renamed', expression: inMadrid });
  expect(await change({ conditions, exclude_segment_ids: [] })).toMatchObject({
    conditions,
    expression: null,
    exclude_segment_ids: [],
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
  });
});

test.each<[string, object, string[]]>([
  ['nothing', {}, ['conditions']],
  ['no condition', { conditions: [] }, ['conditions']],
  ['both', { conditions: [{ fieldPath: 'name', operator: 'exists' }], expression: inMadrid }, ['expression']],
  ['an unknown field', { expression: { field: 'custom_fields.nowhere', op: 'exists' } }, ['expression.field']],
])('a flow of %s is a 422 that names the place', async (_name, audience, paths) => {
  const { api, action } = await makeShop();
  const refused = await api.refuse(createFlow, { body: { name: 'Some', action, ...audience } });
  expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([422, paths]);
});

test('lists, exports and bulk actions take an expression and segments that are left out', async () => {
  const { api, left, headers } = await makeShop();
  const query = { expression: JSON.stringify(inMadrid), exclude_segment_ids: String(left) };
  const { body } = await api.call(listProfiles, { query: query });
  expect(body.data.map(({ name }) => name)).toEqual(['Ada']);
  const address = `${app.url}${exportProfiles.path}?${new URLSearchParams(query).toString()}`;
  const csv = await (await fetch(address, { headers })).text();
  expect(csv).toContain('Ada');
  expect(csv).not.toContain('Ben');
  const action = { resource: 'profiles' as const, action: 'tag' as const, tags: ['chosen'] };
  await api.call(startBulkAction, {
    body: { ...action, filter: { expression: inMadrid, exclude_segment_ids: [left] } },
  });
  await expect
    .poll(async () => (await api.call(listProfiles, { query: { tags: 'chosen' } })).body.data)
    .toMatchObject([{ name: 'Ada' }]);
  const refused = await api.refuse(listProfiles, { query: { expression: '{' } });
  expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([422, ['expression']]);
});
