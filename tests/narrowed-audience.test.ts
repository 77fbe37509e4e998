import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign, getCampaign, listRecipients, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import { openConversation } from '#contracts/conversations.ts';
import {
  createFlow,
  getFlow,
  listDeliveries,
  previewFlow,
  previewFlowCount,
  runFlow,
  updateFlow,
} from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { updateMember } from '#contracts/team.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';
import { joinAccount } from './support/join-account.ts';

const [ada, bo, cy] = ['14155550131', '14155550132', '14155550133'] as const;
const condition = { fieldPath: 'name', operator: 'exists' } as const;

let app: TestApplication;
let owner: Customer;
let marketer: Customer;
let own: OwnProject;
let segmentId: number;
const ids = new Map<string, number>();

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
  owner = await signUpSubscriber(app.url);
  const [first, other] = [await makeProject(owner), await makeProject(owner)];
  own = first;
  await connectSandboxPhone(owner, own.id);
  for (const phone of [ada, bo, cy]) {
    const { body } = await owner.api.call(createProfile, { body: { phone, name: `Person ${phone}` } });
    ids.set(phone, body.id);
  }
  for (const [project, phone] of [
    [own, ada],
    [other, ada],
    [other, bo],
  ] as const) {
    await owner.api.call(openConversation, { body: { project_id: project.id, phone } });
  }
  segmentId = (await owner.api.call(createSegment, { body: { name: 'Everybody', condition } })).body.id;
  marketer = await signUp(app.url);
  await joinAccount(app, owner, marketer, 'marketer', [own.id]);
});
afterAll(() => app[Symbol.asyncDispose]());

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];
const newCampaign = () => ({ name: 'Spring', project_id: own.id, segment_id: segmentId, message: 'Hi {name}' });
const newFlow = (active: boolean) => ({
  name: 'Welcome',
  conditions: [condition],
  action: { projectId: own.id, message: 'Hi {name}' },
  active,
});

async function recipientsOf(campaignId: number): Promise<number[]> {
  await expect
    .poll(async () => (await owner.api.call(getCampaign, { params: { campaignId } })).body.status)
    .toBe('completed');
  const { body } = await owner.api.call(listRecipients, { params: { campaignId }, query: {} });
  return body.data.map(({ profile_id }) => profile_id).filter((id) => id !== null);
}

test('a campaign of a narrowed member goes to the people of the segment whom they see, and its review says so', async () => {
  const reviewed = async ({ api }: Customer) =>
    (await api.call(previewCampaign, { body: { project_id: own.id, segment_id: segmentId, message: 'Hi {name}' } }))
      .body;
  const [theirs, all] = [await reviewed(marketer), await reviewed(owner)];
  expect([theirs.will_receive, all.will_receive]).toEqual([1, 3]);
  expect(JSON.stringify(theirs)).not.toMatch(/1415555013[23]/);
  const { body } = await marketer.api.call(createCampaign, { body: newCampaign() });
  expect(body.audience_project_ids).toEqual([own.id]);
  expect(await recipientsOf(body.id)).toEqual([ids.get(ada)]);
  const ofAll = await owner.api.call(createCampaign, { body: newCampaign() });
  expect(ofAll.body.audience_project_ids).toBe(null);
  expect((await recipientsOf(ofAll.body.id)).length).toBe(3);
});

test('a narrowed member changes what goes to the people whom they see, and nothing that goes to others', async () => {
  const when = '2099-01-01T00:00:00Z';
  const { body: theirs } = await marketer.api.call(createCampaign, { body: { ...newCampaign(), when } });
  const { body: ofAll } = await owner.api.call(createCampaign, { body: { ...newCampaign(), when } });
  const change = { name: 'Summer' };
  const refused = await marketer.api.refuse(updateCampaign, { params: { campaignId: ofAll.id }, body: change });
  expect(codeOf(refused)).toEqual([403, 'missing_permission']);
  expect(refused.body.message).toContain('campaigns:write');
  await marketer.api.call(updateCampaign, { params: { campaignId: theirs.id }, body: change });
  // Somebody who sees all corrects a word: the audience does not grow by it.
  const { body: corrected } = await owner.api.call(updateCampaign, {
    params: { campaignId: theirs.id },
    body: { message: 'Hello {name}' },
  });
  expect(corrected.audience_project_ids).toEqual([own.id]);
  await owner.api.call(updateCampaign, { params: { campaignId: theirs.id }, body: { when: null } });
  expect(await recipientsOf(theirs.id)).toEqual([ids.get(ada)]);
});

test('a flow of a narrowed member meets the people whom they see, by itself and by hand', async () => {
  const counted = async ({ api }: Customer) =>
    (await api.call(previewFlowCount, { body: { conditions: [condition] } })).body.count;
  expect([await counted(marketer), await counted(owner)]).toEqual([1, 3]);
  const preview = { conditions: [condition], project_id: own.id, message: 'Hi {name}' };
  expect((await marketer.api.call(previewFlow, { body: preview })).body.will_receive).toBe(1);

  const { body: flow } = await marketer.api.call(createFlow, { body: newFlow(true) });
  expect(flow.audience_project_ids).toEqual([own.id]);
  const params = { flowId: flow.id };
  const met = async () =>
    (await owner.api.call(listDeliveries, { params, query: {} })).body.deliveries.map(({ profile_id }) => profile_id);
  await expect.poll(met).toEqual([ids.get(ada)]);
  await expect.poll(async () => (await owner.api.call(getFlow, { params })).body.counts.waiting).toBe(0);
  // Everybody is looked at when it is run by hand, also by somebody who sees all.
  const { body: run } = await owner.api.call(runFlow, { params });
  expect([run.matched, run.queued]).toEqual([1, 0]);
  expect(await met()).toEqual([ids.get(ada)]);
});

test('a narrowed member neither runs nor switches on a flow that goes to everybody', async () => {
  const { body: flow } = await owner.api.call(createFlow, { body: newFlow(false) });
  const params = { flowId: flow.id };
  for (const refused of [
    await marketer.api.refuse(runFlow, { params }),
    await marketer.api.refuse(updateFlow, { params, body: { active: true } }),
  ]) {
    expect(codeOf(refused)).toEqual([403, 'missing_permission']);
  }
  const when = '2099-01-01T00:00:00Z';
  const { body: scheduled } = await owner.api.call(createCampaign, { body: { ...newCampaign(), when } });
  await owner.api.call(updateMember, { params: { userId: marketer.id }, body: { project_ids: null } });
  await marketer.api.call(updateFlow, { params, body: { name: 'Mine' } });
  expect((await marketer.api.call(getCampaign, { params: { campaignId: scheduled.id } })).status).toBe(200);
});
