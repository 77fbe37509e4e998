import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#contracts/audit.ts';
import { createLabel, deleteLabel, listLabels, updateLabel } from '#contracts/conversation-labels.ts';
import {
  countConversations,
  listConversations,
  updateConversation,
  updateConversations,
} from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});

afterAll(() => app[Symbol.asyncDispose]());

/** An owner with three open conversations in a project, the latest first. */
async function scene() {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  for (const from of ['14155550131', '14155550132', '14155550133']) {
    await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  }
  const query = { project_id: project.id };
  const list = async (filter: object = {}) =>
    (await owner.api.call(listConversations, { query: { ...query, ...filter } })).body.data;
  const ids = (await list()).map(({ id }) => id);
  const [first = 0] = ids;
  const label = (labels: string[], conversationId = first) =>
    owner.api.call(updateConversation, { params: { conversationId }, body: { labels } });
  const labels = async () => (await owner.api.call(listLabels, { query: {} })).body.data;
  return { owner, project, phone, query, list, ids, first, label, labels };
}

test('a conversation gets labels by name, a new name becomes a label, and list and counts are narrowed to one', async () => {
  const { owner, query, list, ids, first, label, labels } = await scene();
  await owner.api.call(createLabel, { body: { name: 'Delivery', color: 'blue' } });
  expect((await label(['refund', 'DELIVERY', 'Refund'])).body.labels).toEqual(['Delivery', 'refund']);
  expect((await list({ label: 'delivery' })).map(({ id }) => id)).toEqual([first]);
  expect(await list({ label: 'Nothing' })).toEqual([]);
  const { body: counts } = await owner.api.call(countConversations, { query: { ...query, label: 'delivery' } });
  expect(counts).toMatchObject({ open: 1, unread: 1 });
  expect(await labels()).toMatchObject([
    { name: 'Delivery', color: 'blue', open_count: 1 },
    { name: 'refund', color: 'gray', open_count: 1 },
  ]);
  await label(['Delivery'], ids[1]);
  expect((await list({ label: 'Delivery' })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await label([])).body.labels).toEqual([]);
});

test('a label is renamed and coloured everywhere, and a deleted one is on no conversation', async () => {
  const { owner, list, first, label, labels } = await scene();
  await label(['Delivery', 'Refund']);
  const [delivery, refund] = await labels();
  const params = { labelId: delivery?.id ?? 0 };
  const change = (body: object) => owner.api.call(updateLabel, { params, body });
  expect((await change({ name: 'Shipping', color: 'green' })).body).toMatchObject({ name: 'Shipping', color: 'green' });
  expect((await list())[0]?.labels).toEqual(['Refund', 'Shipping']);
  const taken = await owner.api.refuse(updateLabel, { params, body: { name: 'REFUND' } });
  expect(taken).toMatchObject({ status: 422, body: { errors: [{ path: 'name' }] } });
  await owner.api.call(deleteLabel, { params: { labelId: refund?.id ?? 0 } });
  expect((await list())[0]).toMatchObject({ id: first, labels: ['Shipping'] });
  // The name is free again, and is another label.
  await owner.api.call(createLabel, { body: { name: 'Refund' } });
  expect((await list())[0]?.labels).toEqual(['Shipping']);
  expect((await owner.api.refuse(deleteLabel, { params: { labelId: refund?.id ?? 0 } })).status).toBe(404);
});

test('many conversations are changed at once, each with its row in the audit log', async () => {
  const { owner, list, ids, label } = await scene();
  await label(['Refund']);
  const { body } = await owner.api.call(updateConversations, {
    body: { ids: [...ids, 999_999_999], add_labels: ['Delivery'], remove_labels: ['Refund', 'None'], status: 'done' },
  });
  expect(body).toEqual({ changed_count: 3, missing_ids: [999_999_999], failures: [] });
  expect((await list({ status: 'done' })).map(({ labels }) => labels)).toEqual([
    ['Delivery'],
    ['Delivery'],
    ['Delivery'],
  ]);
  const again = await owner.api.call(updateConversations, { body: { ids, add_labels: ['delivery'] } });
  expect(again.body.changed_count).toBe(0);
  const { body: log } = await owner.api.call(listAuditEvents, { query: { action: 'conversation.changed' } });
  expect(log.data.map(({ target }) => target?.id)).toEqual([...ids.toReversed(), ids[0]]);
  const most = Array.from({ length: 20 }, (_, n) => `L${n}`);
  const refused = await owner.api.call(updateConversations, { body: { ids: ids.slice(0, 1), add_labels: most } });
  expect(refused.body).toMatchObject({ changed_count: 0, failures: [{ id: ids[0] }] });
});

test('nobody labels with what is too long, too many or of another account, and a viewer only reads', async () => {
  const { owner, project, first, label } = await scene();
  await label(['Delivery']);
  for (const labels of [['x'.repeat(51)], [''], ['a\u0000b'], Array.from({ length: 21 }, (_, n) => `L${n}`)]) {
    const refused = await owner.api.refuse(updateConversation, {
      params: { conversationId: first },
      body: { labels },
    });
    expect(refused.status).toBe(422);
  }
  const stranger = await signUpSubscriber(app.url);
  const [own] = (await owner.api.call(listLabels, { query: {} })).body.data;
  const params = { labelId: own?.id ?? 0 };
  expect((await stranger.api.call(listLabels, { query: {} })).body.data).toEqual([]);
  expect((await stranger.api.refuse(updateLabel, { params, body: { name: 'Mine' } })).status).toBe(404);
  expect((await stranger.api.refuse(deleteLabel, { params })).status).toBe(404);

  const [viewer, narrowed] = [await signUp(app.url), await signUp(app.url)];
  await joinAccount(app, owner, viewer, 'viewer');
  const other = await makeProject(owner);
  await joinAccount(app, owner, narrowed, 'agent', [other.id]);
  expect((await viewer.api.call(listLabels, { query: {} })).body.data).toMatchObject([{ name: 'Delivery' }]);
  expect((await viewer.api.refuse(createLabel, { body: { name: 'Mine' } })).status).toBe(403);
  // Of conversations in other projects nothing is counted.
  expect((await narrowed.api.call(listLabels, { query: {} })).body.data).toMatchObject([{ open_count: 0 }]);
  expect((await narrowed.api.refuse(listLabels, { query: { project_id: project.id } })).status).toBe(404);
});

test('a key that may not read messages changes labels and is not told them', async () => {
  const { owner, project, first } = await scene();
  const key = await owner.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Sorter', scopes: ['messages:send'] },
  });
  const answer = await fetch(`${app.url}/api/conversations/${first}`, {
    method: 'PATCH',
    headers: { 'x-auth-key': key.body.key, 'content-type': 'application/json' },
    body: JSON.stringify({ labels: ['Delivery'] }),
  });
  expect(await answer.json()).toMatchObject({ id: first, labels: [] });
  expect((await owner.api.call(listLabels, { query: {} })).body.data).toMatchObject([{ open_count: 1 }]);
});
