import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseProfile } from '#contracts/account-data.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { listConversations } from '#contracts/conversations.ts';
import { track } from '#contracts/events.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import { createSegment } from '#contracts/segments.ts';
import { addSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { getProfileTimeline } from '#contracts/timeline.ts';
import type { TimelineEntry } from '#contracts/timeline.ts';
import { createTopic, putProfileTopics } from '#contracts/topics.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { create, makeScene, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { OwnProject } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});
afterAll(() => app[Symbol.asyncDispose]());

type Query = Parameters<typeof read>[2];

async function read(api: ApiClient, profileId: number, query: { kind?: string; after?: string; limit?: number } = {}) {
  return (await api.call(getProfileTimeline, { params: { profileId }, query })).body;
}

/** Each page from the first one on, with something that happens between them. */
async function readAll(api: ApiClient, profileId: number, query: Query, between = async () => {}) {
  const entries: TimelineEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = await read(api, profileId, { ...query, ...(after !== undefined && { after }) });
    entries.push(...page.data);
    if (page.next_cursor === null) return entries;
    after = page.next_cursor;
    await between();
  }
}

const shape = (entries: readonly TimelineEntry[]) =>
  entries.map((entry) => {
    switch (entry.kind) {
      case 'message':
        return `${entry.direction}: ${entry.text}`;
      case 'event':
        return `did ${entry.event}`;
      case 'segment':
        return `${entry.state} ${entry.segment_name}`;
      case 'consent':
        return `${entry.state} ${entry.topic_name ?? 'everything'}`;
      case 'note':
        return `note: ${entry.text}`;
      case 'change':
        return `${entry.action} ${entry.changes.map(({ field }) => field).join()}`;
      case 'created':
        return 'created';
    }
  });

/** Somebody with whom one of everything happened, in this order. */
async function scene() {
  const owner = await signUpSubscriber(app.url);
  const { api } = owner;
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const { body: segment } = await api.call(createSegment, {
    body: { name: 'VIP', condition: { fieldPath: 'status', operator: 'equals', value: 'vip' } },
  });
  await expect
    .poll(() =>
      app.ctx.db.selectFrom('audience_watches').select('is_built').where('source_id', '=', segment.id).execute(),
    )
    .toEqual([{ is_built: true }]);
  const from = '14155550132';
  const { body: profile } = await api.call(createProfile, { body: { phone: from, name: 'Ada' } });
  const params = { profileId: profile.id };
  const write = (message: string) =>
    api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message } });
  await write('Hello?');
  const sender = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  await sender.call(sendMessage, { body: { to: from, message: 'Good morning' } });
  await api.call(track, { body: { phone: from, event: 'Order placed', properties: { total: 12 } } });
  const { body: conversations } = await api.call(listConversations, { query: { project_id: project.id } });
  const conversationId = conversations.data[0]?.id ?? 0;
  await api.call(createNote, { params: { conversationId }, body: { text: 'Wants a lamp' } });
  const { body: topic } = await api.call(createTopic, { body: { name: 'Offers' } });
  await api.call(putProfileTopics, { params, body: { topics: [{ topic_id: topic.id, state: 'opted_in' }] } });
  await api.call(addSuppression, { body: { phone: from, note: 'By phone' } });
  await api.call(removeSuppression, { params: { phone: from }, query: { reason: 'Asked to be back' } });
  await api.call(updateProfile, { params, body: { status: 'vip' } });
  await expect.poll(async () => (await read(api, profile.id, { kind: 'segment' })).data).toHaveLength(1);
  return { owner, api, project, profile, params, write };
}

const happened = [
  'joined VIP',
  'profile.changed status',
  'opted_in everything',
  'opted_out everything',
  'opted_in Offers',
  'note: Wants a lamp',
  'did Order placed',
  'outgoing: Good morning',
  'incoming: Hello?',
  'created',
];

async function keyOf(api: ApiClient, { id: projectId }: Pick<OwnProject, 'id'>, scopes: KeyScope[]) {
  const { body } = await api.call(createProjectKey, { params: { projectId }, body: { name: 'k', scopes } });
  return createApiClient(app.url, { 'x-auth-key': body.key });
}

test('a timeline has all that happened with a person, the latest first, and of one kind alone', async () => {
  const { owner, api, profile, project } = await scene();
  const { data, next_cursor: next } = await read(api, profile.id);
  expect([shape(data), next]).toEqual([happened, null]);
  expect(data.map(({ at }) => at)).toEqual(
    data
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
  expect(data.find(({ kind }) => kind === 'message')).toMatchObject({
    project_id: project.id,
    type: 'text',
    source: 'api',
    source_id: null,
    source_name: null,
    clicks: [],
  });
  expect(data.find(({ kind }) => kind === 'change')).toMatchObject({
    changes: [{ field: 'status', before: 'active', after: 'vip', hidden: false }],
  });
  const ofKinds = await read(api, profile.id, { kind: 'event,note' });
  expect(shape(ofKinds.data)).toEqual(['note: Wants a lamp', 'did Order placed']);
  const other = await signUpSubscriber(app.url);
  const { status } = await other.api.refuse(getProfileTimeline, { params: { profileId: profile.id }, query: {} });
  expect(status).toBe(404);
  expect(owner.id).not.toBe(other.id);
});

test('pages leave nothing out and repeat nothing, whatever happens between them', async () => {
  const { api, profile, write } = await scene();
  let count = 0;
  const entries = await readAll(api, profile.id, { limit: 2 }, async () => {
    count += 1;
    await write(`Again ${count}`);
    await api.call(track, { body: { profile_id: profile.id, event: `Later ${count}` } });
  });
  expect(shape(entries)).toEqual(happened);
});

test('a key reads no text without messages:read, and messages of its own project alone', async () => {
  const { owner, api, profile, project } = await scene();
  const bare = await read(await keyOf(api, project, ['contacts:read']), profile.id);
  const whole = await read(await keyOf(api, project, ['contacts:read', 'messages:read']), profile.id);
  expect(bare.data.map((entry) => Object.keys(entry))).toEqual(whole.data.map((entry) => Object.keys(entry)));
  const texts = ({ data }: { data: TimelineEntry[] }) =>
    data.flatMap((entry) => (entry.kind === 'message' || entry.kind === 'note' ? [entry.text] : []));
  expect(texts(bare)).toEqual([null, null, null]);
  expect(texts(whole)).toEqual(['Wants a lamp', 'Good morning', 'Hello?']);
  const second = await makeProject(owner);
  const elsewhere = await read(await keyOf(api, second, ['contacts:read', 'messages:read']), profile.id);
  expect(texts(elsewhere)).toEqual([]);
});

test('a message names its campaign for callers who may read campaigns, and the links that were opened', async () => {
  const phone = '14155554171';
  const { customer, ...rest } = await makeScene(app, [{ phone }]);
  const campaign = await create({ customer, ...rest }, { message: 'Look: {link:https://shop.example.com/a}' });
  await until({ customer, ...rest }, campaign, { status: 'completed', sent_count: 1 });
  const { rows } = await app.ctx.pool.query<{ body: string; profile_id: number }>(
    `select body, profile_id from messages where campaign_id = $1`,
    [campaign.id],
  );
  const [message] = rows;
  const path = /\/l\/\S+/.exec(message?.body ?? '')?.[0] ?? '';
  const browser = {
    'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36',
  };
  await fetch(app.url + path, { redirect: 'manual', headers: browser });
  const profileId = message?.profile_id ?? 0;
  const { data } = await read(customer.api, profileId, { kind: 'message' });
  expect(data).toMatchObject([
    {
      source: 'campaign',
      source_id: campaign.id,
      source_name: campaign.name,
      clicks: [{ url: 'https://shop.example.com/a' }],
    },
  ]);
  const key = await keyOf(customer.api, { id: rest.projectId }, ['contacts:read', 'messages:read']);
  expect((await read(key, profileId, { kind: 'message' })).data).toMatchObject([{ source_name: null }]);
});

test('a person who was erased has none, and what is no cursor or kind is refused', async () => {
  const { api, params } = await scene();
  for (const query of [{ kind: 'messages' }, { after: 'e30' }, { after: Buffer.from('[1]').toString('base64url') }]) {
    const { status, body } = await api.refuse(getProfileTimeline, { params, query });
    expect([status, body.errors?.[0]?.path.split('.')[0]]).toEqual([422, Object.keys(query)[0]]);
  }
  await api.call(eraseProfile, { params });
  expect((await api.refuse(getProfileTimeline, { params, query: {} })).status).toBe(404);
});
