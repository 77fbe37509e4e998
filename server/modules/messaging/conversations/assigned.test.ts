import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countConversations,
  getConversation,
  listAssignees,
  listConversations,
  updateConversation,
} from '#contracts/conversations.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { acceptInvitation, invite, removeMember, updateMember } from '#contracts/team.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});

afterAll(() => app[Symbol.asyncDispose]());

const ada = '14155550132';
const bo = '14155550133';

/** An owner, two agents and a viewer, with two conversations in one of two projects. */
async function teamScene() {
  const owner = await signUpSubscriber(app.url);
  const [project, other] = [await makeProject(owner), await makeProject(owner)];
  const phone = await connectSandboxPhone(owner, project.id);
  for (const from of [ada, bo]) {
    await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  }
  const query = { project_id: project.id };
  const phones = async ({ api }: { api: ApiClient }, filter: object = {}) =>
    (await api.call(listConversations, { query: { ...query, ...filter } })).body.data.map((each) => each.phone);
  const counts = async ({ api }: { api: ApiClient }) => (await api.call(countConversations, { query })).body;
  const { body } = await owner.api.call(listConversations, { query });
  const id = body.data.find((each) => each.phone === ada)?.id ?? 0;
  const [grace, mary, viewer] = [await signUp(app.url), await signUp(app.url), await signUp(app.url)];
  await joinAccount(app, owner, grace, 'agent');
  await joinAccount(app, owner, mary, 'agent', [project.id]);
  await joinAccount(app, owner, viewer, 'viewer');
  const givenBy = ({ api }: { api: ApiClient }, assigned_to: number | null) => ({
    call: () => api.call(updateConversation, { params: { conversationId: id }, body: { assigned_to } }),
    refuse: () => api.refuse(updateConversation, { params: { conversationId: id }, body: { assigned_to } }),
  });
  const assignee = async () =>
    (await owner.api.call(getConversation, { params: { conversationId: id } })).body.assigned_to;
  return { owner, project, other, id, phones, counts, grace, mary, viewer, givenBy, assignee };
}

test('a conversation is taken, handed over and given back, and each person has their own list and counts', async () => {
  const { owner, id, project, phones, counts, grace, mary, givenBy, assignee } = await teamScene();
  expect(await assignee()).toBeNull();
  const events: LiveEvent[] = [];
  const unsubscribe = subscribeLive(app.ctx, (event) => void events.push(event), { accountId: owner.id });
  expect((await givenBy(grace, grace.id).call()).body).toMatchObject({ id, assigned_to: grace.id, status: 'open' });
  const news = { type: 'conversations.changed', project_id: project.id, conversation_id: id };
  await expect.poll(() => events).toContainEqual(news);
  unsubscribe();
  expect(await phones(grace, { assigned_to: 'me', status: 'open' })).toEqual([ada]);
  expect(await phones(mary, { assigned_to: 'me' })).toEqual([]);
  expect(await phones(mary, { assigned_to: 'none' })).toEqual([bo]);
  expect(await phones(mary)).toEqual([bo, ada]);
  expect(await counts(grace)).toMatchObject({ open: 2, mine: 1, unassigned: 1 });

  await givenBy(grace, mary.id).call();
  expect(await counts(grace)).toMatchObject({ mine: 0, unassigned: 1 });
  expect(await counts(mary)).toMatchObject({ mine: 1, unassigned: 1 });
  await givenBy(owner, null).call();
  expect(await counts(mary)).toMatchObject({ mine: 0, unassigned: 2 });
});

test('only members who answer in the project are offered and taken', async () => {
  const { owner, project, other, grace, mary, viewer, givenBy, assignee } = await teamScene();
  const offered = async (projectId: number) =>
    (await owner.api.call(listAssignees, { query: { project_id: projectId } })).body.data.map((each) => each.id);
  expect(await offered(project.id)).toEqual([owner.id, grace.id, mary.id]);
  expect(await offered(other.id)).toEqual([owner.id, grace.id]);
  const stranger = await signUp(app.url);
  for (const { id } of [viewer, stranger]) {
    const refused = await givenBy(owner, id).refuse();
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'assigned_to' }] } });
  }
  expect(await givenBy(viewer, grace.id).refuse()).toMatchObject({ status: 403 });
  expect(await assignee()).toBeNull();
  const foreign = { query: { project_id: other.id } };
  expect(await mary.api.refuse(listAssignees, foreign)).toMatchObject({ status: 404 });
});

test('a member who is removed, narrowed or made a viewer has none; after joining again, none either', async () => {
  const { owner, project, other, phones, counts, grace, givenBy, assignee } = await teamScene();
  const change = (body: object) => owner.api.call(updateMember, { params: { userId: grace.id }, body });
  await givenBy(grace, grace.id).call();
  for (const [narrower, wider] of [
    [{ project_ids: [other.id] }, { project_ids: [other.id, project.id] }],
    [{ role: 'viewer' }, { role: 'agent' }],
  ]) {
    await change(narrower ?? {});
    expect(await assignee()).toBeNull();
    expect(await phones(owner, { assigned_to: 'none' })).toEqual([bo, ada]);
    expect(await counts(owner)).toMatchObject({ unassigned: 2 });
    await change(wider ?? {});
    expect(await assignee()).toBe(grace.id);
  }
  await owner.api.call(removeMember, { params: { userId: grace.id } });
  expect(await assignee()).toBeNull();
  const { body } = await owner.api.call(invite, { body: { email: grace.email, role: 'agent' } });
  const params = { token: body.url.slice(body.url.lastIndexOf('/') + 1) };
  await grace.api.call(acceptInvitation, { params, body: {} });
  expect(await assignee()).toBeNull();
  expect(await counts(grace)).toMatchObject({ mine: 0, unassigned: 2 });
});

test('a key assigns and asks for what nobody has; it has none of its own', async () => {
  const { owner, project, id, grace } = await teamScene();
  const { body } = await owner.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Desk', scopes: ['messages:read', 'messages:send'] },
  });
  const key = owner.api.as({ authorization: '', 'x-auth-key': body.key });
  const assigned = await key.call(updateConversation, {
    params: { conversationId: id },
    body: { assigned_to: grace.id },
  });
  expect(assigned.body.assigned_to).toBe(grace.id);
  const unassigned = await key.call(listConversations, { query: { assigned_to: 'none' } });
  expect(unassigned.body.data).toMatchObject([{ phone: bo, assigned_to: null }]);
  const refused = await key.refuse(listConversations, { query: { assigned_to: 'me' } });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'assigned_to' }] } });
});
