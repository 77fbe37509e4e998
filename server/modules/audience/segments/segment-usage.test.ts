import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCampaign, createCampaign } from '#contracts/campaigns.ts';
import { startBulkAction } from '#contracts/bulk-actions.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import {
  createSegment,
  deleteSegment,
  getSegmentUsage,
  listSegments,
  listSegmentUses,
  updateSegment,
  type SegmentUser,
} from '#contracts/segments.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const inSpain = { field: 'country_code', op: 'equals', value: 'ES' } as const;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function makeSegment({ api }: Customer, name: string): Promise<number> {
  const { body } = await api.call(createSegment, { body: { name, expression: inSpain } });
  return body.id;
}

async function makeCampaign({ api }: Customer, body: object): Promise<number> {
  const campaign = { message: 'Hi {name}', when: tomorrow(), ...body };
  return (await api.call(createCampaign, { body: campaign as never })).body.id;
}

const usageOf = async ({ api }: Pick<Customer, 'api'>, segmentId: number) =>
  (await api.call(getSegmentUsage, { params: { segmentId } })).body;

test('a segment says which segments, flows and campaigns go by it, and what deleting it means to each', async () => {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const spain = await makeSegment(owner, 'Spain');
  expect(await usageOf(owner, spain)).toEqual({ data: [], total: 0, finished_campaigns: 0 });

  const { api } = owner;
  const { body: outer } = await api.call(createSegment, {
    body: { name: 'Spain and more', expression: { any: [{ segment: spain }, { not: { segment: spain } }] } },
  });
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Hola',
      expression: { segment: spain },
      action: { type: 'send_message', projectId: project.id, message: 'Hola' },
    } as never,
  });
  const plain = await makeCampaign(owner, { name: 'Plain', project_id: project.id, segment_id: spain });
  const without = await makeCampaign(owner, {
    name: 'Without',
    project_id: project.id,
    segment_id: outer.id,
    exclude_segment_ids: [spain],
  });
  const over = await makeCampaign(owner, { name: 'Over', project_id: project.id, segment_id: spain });
  await api.call(cancelCampaign, { params: { campaignId: over } });

  expect(await usageOf(owner, spain)).toEqual({
    data: [
      { type: 'segment', id: outer.id, name: 'Spain and more', status: null, when_deleted: 'refused' },
      { type: 'flow', id: flow.id, name: 'Hola', status: expect.any(String), when_deleted: 'refused' },
      { type: 'campaign', id: without, name: 'Without', status: 'scheduled', when_deleted: 'refused' },
      { type: 'campaign', id: plain, name: 'Plain', status: 'scheduled', when_deleted: 'fails' },
    ],
    total: 4,
    finished_campaigns: 1,
  });
  // As it was said: refused while they go by it.
  const refusal = await api.refuse(deleteSegment, { params: { segmentId: spain } });
  expect(refusal.status).toBe(409);
  await api.call(updateSegment, { params: { segmentId: outer.id }, body: { expression: inSpain } });
  const types = (await usageOf(owner, spain)).data.map(({ type }) => type);
  expect(types).toEqual(['flow', 'campaign', 'campaign']);
});

test('another account\u2019s segment is a 404, and a key without campaigns:read a 403', async () => {
  const owner = await signUpSubscriber(app.url);
  const stranger = await signUpSubscriber(app.url);
  const segmentId = await makeSegment(owner, 'Spain');
  expect((await stranger.api.refuse(getSegmentUsage, { params: { segmentId } })).status).toBe(404);
  const project = await makeProject(owner);
  const { body: key } = await owner.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Reads', scopes: ['contacts:read'] },
  });
  const api = createApiClient(app.url, { 'x-auth-key': key.key });
  expect((await api.refuse(getSegmentUsage, { params: { segmentId } })).status).toBe(403);
});

test('a key of a project sees the campaigns of its own project alone', async () => {
  const owner = await signUpSubscriber(app.url);
  const [mine, other] = [await makeProject(owner), await makeProject(owner)];
  const segmentId = await makeSegment(owner, 'Spain');
  const own = await makeCampaign(owner, { name: 'Own', project_id: mine.id, segment_id: segmentId });
  await makeCampaign(owner, { name: 'Other', project_id: other.id, segment_id: segmentId });
  const { body: key } = await owner.api.call(createProjectKey, {
    params: { projectId: mine.id },
    body: { name: 'Reads', scopes: ['contacts:read', 'campaigns:read'] },
  });
  const usage = await usageOf({ api: createApiClient(app.url, { 'x-auth-key': key.key }) }, segmentId);
  expect(usage.data.map(({ id }) => id)).toEqual([own]);
});

test('of several segments the first three uses of each are named, without those of another account', async () => {
  const owner = await signUpSubscriber(app.url);
  const stranger = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const [spain, unused] = [await makeSegment(owner, 'Spain'), await makeSegment(owner, 'Unused')];
  const foreign = await makeSegment(stranger, 'Theirs');
  const campaigns = [];
  for (const name of ['First', 'Second', 'Third', 'Fourth']) {
    campaigns.push(await makeCampaign(owner, { name, project_id: project.id, segment_id: spain }));
  }
  const { body } = await owner.api.call(listSegmentUses, { query: { ids: [unused, foreign, spain].join() } });
  expect(body.data).toEqual([
    { id: unused, uses: [], total: 0 },
    {
      id: spain,
      uses: ['Fourth', 'Third', 'Second'].map((name) => expect.objectContaining({ type: 'campaign', name }) as unknown),
      total: 4,
    },
  ]);
  expect(await usageOf(owner, spain)).toMatchObject({ total: 4, data: campaigns.toReversed().map((id) => ({ id })) });
});

test('the list is narrowed to the segments that a flow, a campaign, another segment or nothing goes by', async () => {
  const owner = await signUpSubscriber(app.url);
  const [mine, other] = [await makeProject(owner), await makeProject(owner)];
  const { api } = owner;
  const ids = {
    inner: await makeSegment(owner, 'Inner'),
    flowed: await makeSegment(owner, 'Flowed'),
    mailed: await makeSegment(owner, 'Mailed'),
    left: await makeSegment(owner, 'Left out'),
    over: await makeSegment(owner, 'Over'),
  };
  const expression = { any: [inSpain, { not: { segment: ids.inner } }] };
  await api.call(createSegment, { body: { name: 'Outer', expression } });
  const action = { type: 'send_message', projectId: mine.id, message: 'Hola' };
  await api.call(createFlow, { body: { name: 'Hola', expression: { segment: ids.flowed }, action } as never });
  await makeCampaign(owner, {
    name: 'Mail',
    project_id: other.id,
    segment_id: ids.mailed,
    exclude_segment_ids: [ids.left],
  });
  const over = await makeCampaign(owner, { name: 'Over', project_id: mine.id, segment_id: ids.over });
  await api.call(cancelCampaign, { params: { campaignId: over } });
  const stranger = await signUpSubscriber(app.url);
  await makeSegment(stranger, 'Theirs');

  const namesOf = async (user: SegmentUser, by: Pick<Customer, 'api'> = owner) =>
    (await by.api.call(listSegments, { query: { used_by: user, sort: 'name' } })).body.data.map(({ name }) => name);
  expect(await namesOf('segment')).toEqual(['Inner']);
  expect(await namesOf('flow')).toEqual(['Flowed']);
  expect(await namesOf('campaign')).toEqual(['Left out', 'Mailed']);
  expect(await namesOf('nowhere')).toEqual(['Outer', 'Over']);
  const { body: page } = await api.call(listSegments, { query: { used_by: 'nowhere', pageSize: 1 } });
  expect(page).toMatchObject({ total: 2, data: [{ name: 'Outer' }] });

  const keyOf = async (scopes: ('contacts:read' | 'campaigns:read')[]) => {
    const { body: key } = await api.call(createProjectKey, {
      params: { projectId: mine.id },
      body: { name: 'Reads', scopes },
    });
    return { api: createApiClient(app.url, { 'x-auth-key': key.key }) };
  };
  // A campaign of another project is none that it sees.
  expect(await namesOf('campaign', await keyOf(['contacts:read', 'campaigns:read']))).toEqual([]);
  const narrow = await keyOf(['contacts:read']);
  expect((await narrow.api.refuse(listSegments, { query: { used_by: 'flow' } })).status).toBe(403);

  const { body: bulk } = await api.call(startBulkAction, {
    body: { resource: 'segments', action: 'delete', filter: { used_by: 'nowhere' } },
  });
  expect(bulk.total_count).toBe(2);
});
