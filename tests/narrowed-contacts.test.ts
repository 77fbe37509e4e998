import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountKey } from '#contracts/account-keys.ts';
import { eraseProfile, exportProfile } from '#contracts/account-data.ts';
import { createCampaign, listCampaigns } from '#contracts/campaigns.ts';
import { openConversation } from '#contracts/conversations.ts';
import { listTrackedEvents, track } from '#contracts/events.ts';
import { listFields } from '#contracts/fields.ts';
import * as contract from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import type { Role } from '#contracts/roles.ts';
import * as segments from '#contracts/segments.ts';
import { getSuppression } from '#contracts/suppressions.ts';
import { updateMember } from '#contracts/team.ts';
import { getProfileTimeline } from '#contracts/timeline.ts';
import { createTopic, getNumberTopics, putNumberTopics, putProfileTopics } from '#contracts/topics.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';
import { joinAccount } from './support/join-account.ts';

const [ada, bo, cy] = ['14155550131', '14155550132', '14155550133'] as const;

let app: TestApplication;
let owner: Customer;
let own: OwnProject;
let other: OwnProject;
const ids = new Map<string, number>();
let segmentId: number;

const idOf = (phone: string) => ids.get(phone) ?? 0;
const talk = (project: OwnProject, phone: string) =>
  owner.api.call(openConversation, { body: { project_id: project.id, phone } });

async function member(role: Role): Promise<Customer> {
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, role, [own.id]);
  return person;
}

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5', ROLES: 'api' } });
  owner = await signUpSubscriber(app.url);
  [own, other] = [await makeProject(owner), await makeProject(owner)];
  for (const [phone, name, city] of [
    [ada, 'Ada', 'Lisbon'],
    [bo, 'Bo', 'Oslo'],
    [cy, 'Cy', 'Paris'],
  ] as const) {
    const profile = { phone, name, tags: ['vip', city], language: 'en', custom_fields: { city, [city]: 1 } };
    const { body } = await owner.api.call(contract.createProfile, { body: profile });
    ids.set(phone, body.id);
    await owner.api.call(track, { body: { event: 'Visited', phone } });
  }
  await talk(own, ada);
  await talk(other, ada);
  await talk(other, bo);
  const everybody = { name: 'Everybody', condition: { fieldPath: 'name', operator: 'exists' } } as const;
  segmentId = (await owner.api.call(segments.createSegment, { body: everybody })).body.id;
});
afterAll(() => app[Symbol.asyncDispose]());

test('a narrowed member sees the contacts who have a conversation in their project: one, lists, counts, exports', async () => {
  const { api, token } = await member('marketer');
  const list = (await api.call(contract.listProfiles, { query: {} })).body;
  expect({ total: list.total, names: list.data.map(({ name }) => name) }).toEqual({ total: 1, names: ['Ada'] });
  expect((await api.call(contract.listProfiles, { query: { search: 'bo' } })).body).toMatchObject({ total: 0 });
  const bySegment = await api.call(contract.listProfiles, { query: { segment_id: segmentId } });
  expect(bySegment.body.data.map(({ id }) => id)).toEqual([idOf(ada)]);
  expect((await api.call(contract.getProfile, { params: { profileId: idOf(ada) } })).body.name).toBe('Ada');
  const file = await fetch(`${app.url}${contract.exportProfiles.path}`, { headers: { authorization: token } });
  const [columns, ...rows] = (await file.text()).trim().split(/\r?\n/);
  const custom = columns?.split(',').filter((column) => column.startsWith('custom_fields.'));
  expect(custom).toEqual(['custom_fields.Lisbon', 'custom_fields.city']);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain('Ada');

  const expression = { field: 'name', op: 'exists' } as const;
  const preview = (await api.call(segments.previewSegment, { body: { expression } })).body;
  expect({ ...preview, sample: preview.sample.map(({ name }) => name) }).toMatchObject({
    count: 1,
    total: 1,
    sample: ['Ada'],
    lines: [{ count: 1 }],
  });
  for (const [operator, value, count] of [
    ['exists', '', 1],
    ['not_exists', '', 0],
    ['equals', 'Bo', 0],
    ['not_equals', 'Bo', 1],
  ] as const) {
    const body = { condition: { fieldPath: 'name', operator, value } };
    expect([operator, (await api.call(segments.previewSegmentCount, { body })).body.count]).toEqual([operator, count]);
  }
  const members = (await api.call(segments.listSegmentMembers, { params: { segmentId }, query: {} })).body;
  expect([members.count, members.data.map(({ name }) => name)]).toEqual([1, ['Ada']]);
  const missed = { all: [expression, { field: 'name', op: 'equals', value: 'Nobody' } as const] };
  const nearly = (await api.call(segments.listNearlyMembers, { body: { expression: missed } })).body;
  expect([nearly.count, nearly.data.map(({ name }) => name)]).toEqual([1, ['Ada']]);
  expect((await api.call(listTrackedEvents, { query: { name: 'Visited' } })).body.data).toMatchObject([
    { profile_id: idOf(ada) },
  ]);
});

test('nobody else is there: not by id, by number, or in what fields and tags hold', async () => {
  const { api } = await member('admin');
  for (const phone of [bo, cy]) {
    const params = { profileId: idOf(phone) };
    const expression = { field: 'name', op: 'exists' } as const;
    for (const { status } of [
      await api.refuse(contract.getProfile, { params }),
      await api.refuse(getProfileTimeline, { params, query: {} }),
      await api.refuse(exportProfile, { params }),
      await api.refuse(segments.listProfileSegments, { params }),
      await api.refuse(segments.explainSegment, { body: { expression, profile_id: idOf(phone) } }),
      await api.refuse(getNumberTopics, { params: { phone } }),
      await api.refuse(getSuppression, { params: { phone } }),
    ]) {
      expect(status).toBe(404);
    }
  }
  const tags = (await api.call(contract.listProfileTags, { query: {} })).body.data;
  expect(tags).toEqual([
    { tag: 'lisbon', profiles: 1 },
    { tag: 'vip', profiles: 1 },
  ]);
  const values = (await api.call(contract.listProfileFieldValues, { query: { path: 'custom_fields.city' } })).body.data;
  expect(values).toEqual([{ value: 'Lisbon', profiles: 1 }]);
  for (const answer of [
    (await api.call(contract.listProfileFields, { query: {} })).body,
    (await api.call(listFields, { query: {} })).body,
  ]) {
    const byPath = new Map(answer.data.map(({ path, profiles }) => [path, profiles]));
    expect([byPath.get('phone'), byPath.get('name'), byPath.get('custom_fields.city')]).toEqual([1, 1, 1]);
    expect(JSON.stringify(answer)).not.toMatch(/Bo|Cy|Oslo|Paris|1415555013[23]/);
  }
  expect((await api.call(listFields, { query: { search: 'language' } })).body.data).toMatchObject([{ profiles: 1 }]);
});

test('a person of two projects is shown with what happened in that of the member', async () => {
  const { api, token } = await member('marketer');
  const body = { name: 'Elsewhere', project_id: other.id, segment_id: segmentId, message: 'Hi' };
  await owner.api.call(createCampaign, { body });
  const params = { profileId: idOf(ada) };
  const path = exportProfile.path.replace('{profileId}', String(params.profileId));
  const answer = await fetch(`${app.url}${path}`, { headers: { authorization: token } });
  const exported = (await answer.json()) as { conversations: { project_id: number }[]; campaigns: unknown[] };
  expect(exported.conversations.map(({ project_id }) => project_id)).toEqual([own.id]);
  expect(exported.campaigns).toEqual([]);
  expect((await api.call(listCampaigns, { query: {} })).body.data).toEqual([]);
});

test('contacts follow the projects of the member at once, and come with a conversation', async () => {
  const agent = await member('agent');
  const seen = async () =>
    (await agent.api.call(contract.listProfiles, { query: {} })).body.data.map(({ name }) => name);
  expect(await seen()).toEqual(['Ada']);
  await talk(own, cy);
  expect(await seen()).toEqual(['Cy', 'Ada']);
  const params = { userId: agent.id };
  await owner.api.call(updateMember, { params, body: { project_ids: [other.id] } });
  expect(await seen()).toEqual(['Bo', 'Ada']);
  await owner.api.call(updateMember, { params, body: { project_ids: null } });
  expect(await seen()).toEqual(['Cy', 'Bo', 'Ada']);
});

test('agents and marketers change the contacts whom they see, and their number for nobody', async () => {
  const params = { profileId: idOf(ada) };
  const { body: topic } = await owner.api.call(createTopic, { body: { name: 'Offers' } });
  const consent = { topics: [{ topic_id: topic.id, state: 'opted_in' as const }] };
  for (const role of ['agent', 'marketer'] as const) {
    const { api } = await member(role);
    const change = { name: `Ada of ${role}`, custom_fields: { seat: role } };
    const { body } = await api.call(contract.updateProfile, { params, body: { phone: ada, ...change } });
    expect(body).toMatchObject(change);
    await api.call(putProfileTopics, { params, body: consent });
    await api.call(contract.updateProfile, { params, body: { opted_out: true } });
    await api.call(contract.updateProfile, { params, body: { opted_out: false, opt_in_reason: 'They asked for it' } });
    const renumbered = { params, body: { name: 'Taken', phone: bo } };
    for (const { status, body: refusal } of [
      await api.refuse(contract.updateProfile, renumbered),
      await api.refuse(contract.createProfile, { body: { phone: '14155550139' } }),
      await api.refuse(contract.upsertProfile, { body: { phone: ada, name: 'Taken' } }),
      await api.refuse(contract.deleteProfile, { params }),
      await api.refuse(eraseProfile, { params }),
    ]) {
      expect([status, refusal.code]).toEqual([403, 'missing_permission']);
    }
    const unseen = { profileId: idOf(bo) };
    expect((await api.refuse(contract.updateProfile, { params: unseen, body: change })).status).toBe(404);
    expect((await api.refuse(putProfileTopics, { params: unseen, body: consent })).status).toBe(404);
    await api.call(putNumberTopics, { params: { phone: ada }, body: consent });
    expect((await api.refuse(putNumberTopics, { params: { phone: bo }, body: consent })).status).toBe(404);
    expect((await owner.api.call(contract.getProfile, { params })).body).toMatchObject({ ...change, phone: ada });
    expect((await owner.api.call(contract.getProfile, { params: unseen })).body).toMatchObject({ name: 'Bo' });
  }
  for (const role of ['developer', 'viewer'] as const) {
    const { api } = await member(role);
    const { status } = await api.refuse(contract.updateProfile, { params, body: { name: 'Taken' } });
    expect([role, status]).toEqual([role, 403]);
  }
  await owner.api.call(contract.updateProfile, { params, body: { name: 'Ada' } });
});

test('a key sees no more contacts than its narrowed maker, and a key of the project all, as before', async () => {
  const maker = await member('admin');
  const { body: key } = await maker.api.call(createAccountKey, {
    body: { name: 'Reports', scopes: ['contacts:read'] },
  });
  const reports = createApiClient(app.url, { authorization: key.key });
  const seen = (await reports.call(contract.listProfiles, { query: {} })).body.data.map(({ name }) => name);
  expect(seen).toContain('Ada');
  expect(seen).not.toContain('Bo');
  const { body: ofProject } = await owner.api.call(createProjectKey, {
    params: { projectId: own.id },
    body: { name: 'Shop', scopes: ['contacts:read'] },
  });
  const shop = createApiClient(app.url, { 'x-auth-key': ofProject.key });
  expect((await shop.call(contract.listProfiles, { query: {} })).body.total).toBe(3);
});
