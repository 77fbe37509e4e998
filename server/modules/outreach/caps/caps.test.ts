import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cancelCampaign,
  getCampaignReport,
  pauseCampaign,
  previewCampaign,
  resumeCampaign,
} from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { createFlow, getFlow, runFlow } from '#contracts/flows.ts';
import { listMessageCaps, putMessageCap } from '#contracts/message-caps.ts';
import type { MessageCap } from '#contracts/message-caps.ts';
import { createTopic } from '#contracts/topics.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { roomFor } from './count-day.ts';

const dayMs = 86_400_000;

let app: TestApplication;
let aheadMs = 0;

beforeAll(async () => {
  app = await startTestApplication({
    clock: { now: () => new Date(Date.now() + aheadMs) },
    env: { PROJECT_LIMIT: '2' },
  });
});

afterAll(() => app[Symbol.asyncDispose]());

const six = Array.from({ length: 6 }, (_, n) => ({ phone: `1415555510${n + 1}` }));

const cap = ({ customer }: Scene, body: Partial<MessageCap>) =>
  customer.api.call(putMessageCap, { body: { topic_id: null, per_day: null, per_week: null, ...body } });

/** By number: how many messages went to it. */
async function sentTo({ customer }: Scene): Promise<Record<string, number>> {
  const { rows } = await app.ctx.pool.query<{ recipient: string; count: number }>(
    `select recipient, count(*)::int as count from messages
      where account_id = $1 and direction = 'outgoing' and status <> 'failed' group by recipient`,
    [customer.id],
  );
  return Object.fromEntries(rows.map(({ recipient, count }) => [recipient, count]));
}

/** Reservations that hold a place, and the messages of campaigns and flows that wait or went. */
async function recount({ customer }: Scene): Promise<[number, number]> {
  const { rows } = await app.ctx.pool.query<{ reserved: number; went: number }>(
    `select (select count(*)::int from cap_reservations where account_id = $1 and not is_released) as reserved,
            (select count(*)::int from messages
              where account_id = $1 and coalesce(campaign_id, flow_id) is not null and status <> 'failed') as went`,
    [customer.id],
  );
  return [rows[0]?.reserved ?? -1, rows[0]?.went ?? -2];
}

const completed = async (scene: Scene, campaigns: readonly Campaign[]) => {
  for (const campaign of campaigns) {
    await expect
      .poll(async () => ['completed', 'failed'].includes((await get(scene, campaign)).status), { interval: 30 })
      .toBe(true);
  }
};

test.each([
  ['nothing', [], [], Number.POSITIVE_INFINITY],
  ['a day', [{ topicId: null, perDay: 2, perWeek: null }], [{ topicId: 1, isToday: true }], 1],
  ['a week', [{ topicId: null, perDay: 2, perWeek: 2 }], [{ topicId: 1, isToday: false }], 1],
  ['a topic', [{ topicId: 1, perDay: 1, perWeek: null }], [{ topicId: 2, isToday: true }], 1],
  ['a topic that was had', [{ topicId: 1, perDay: 1, perWeek: null }], [{ topicId: 1, isToday: true }], 0],
])('the room that %s leaves', (_name, caps, had, room) => {
  expect(roomFor(caps, had)).toBe(room);
});

test('four promotions to the same six people at once are one message to each', async () => {
  const scene = await makeScene(app, six);
  await cap(scene, { per_day: 1 });
  const campaigns = await Promise.all(['A', 'B', 'C', 'D'].map((name) => create(scene, { name, message: name })));
  await completed(scene, campaigns);
  expect(Object.values(await sentTo(scene))).toEqual([1, 1, 1, 1, 1, 1]);
  const found = await Promise.all(campaigns.map((campaign) => get(scene, campaign)));
  expect(found.reduce((sum, { sent_count: sent }) => sum + sent, 0)).toBe(6);
  expect(found.reduce((sum, { skipped_count: skipped }) => sum + skipped, 0)).toBe(18);
  const codes = await Promise.all(campaigns.map((campaign) => recipients(scene, campaign, { status: 'skipped' })));
  expect(new Set(codes.flatMap(({ data }) => data.map(({ error_code: code }) => code)))).toEqual(new Set(['capped']));
  expect(await recount(scene)).toEqual([6, 6]);
  const { body: review } = await scene.customer.api.call(previewCampaign, {
    body: { segment_id: scene.segmentId, message: 'Hi', project_id: scene.projectId },
  });
  expect([review.will_receive, review.skipped.capped]).toEqual([0, 6]);
  const { body: report } = await scene.customer.api.call(getCampaignReport, {
    params: { campaignId: campaigns[0]?.id ?? 0 },
  });
  expect(report.skips.every(({ code }) => code === 'capped')).toBe(true);
});

test('a campaign that waits goes on the next day, and says so meanwhile', async () => {
  const scene = await makeScene(app, six.slice(0, 2));
  await cap(scene, { per_day: 1 });
  await until(scene, await create(scene, { message: 'First' }), { status: 'completed', sent_count: 2 });
  const { body: review } = await scene.customer.api.call(previewCampaign, {
    body: { segment_id: scene.segmentId, message: 'Second', project_id: scene.projectId, when_capped: 'wait' },
  });
  expect(review).toMatchObject({ will_receive: 2, capped_waiting: 2, skipped: { capped: 0 }, forecast: { count: 0 } });
  const second = await create(scene, { message: 'Second', when_capped: 'wait' });
  const waiting = await until(scene, second, { status: 'running', waiting_for: 'contact_capped', waiting_count: 2 });
  expect(Date.parse(waiting.waiting_until ?? '')).toBeGreaterThan(Date.now() + aheadMs);
  expect(waiting.when_capped).toBe('wait');
  aheadMs += dayMs;
  await scene.customer.api.call(pauseCampaign, { params: { campaignId: second.id } });
  await scene.customer.api.call(resumeCampaign, { params: { campaignId: second.id } });
  await until(scene, second, { status: 'completed', sent_count: 2, skipped_count: 0 });
});

test('a week counts the six days before, and a topic counts its own', async () => {
  const scene = await makeScene(app, six.slice(0, 1));
  const { api } = scene.customer;
  const topic = (await api.call(createTopic, { body: { name: 'Offers' } })).body.id;
  await cap(scene, { topic_id: topic, per_week: 1 });
  const send = async (changes: object, expected: Partial<Campaign>) =>
    until(scene, await create(scene, changes), expected);
  await send({ topic_id: topic }, { status: 'completed', sent_count: 1 });
  await send({}, { status: 'completed', sent_count: 1 });
  aheadMs += 6 * dayMs;
  await send({ topic_id: topic }, { skipped_count: 1, sent_count: 0 });
  aheadMs += dayMs;
  await send({ topic_id: topic }, { status: 'completed', sent_count: 1 });
});

test('a message that fails or is taken back gives its place back', async () => {
  // To a sandbox +1 415 555 0000 is not on WhatsApp.
  const scene = await makeScene(app, [{ phone: '14155550000' }, ...six.slice(0, 1)]);
  await cap(scene, { per_day: 1 });
  await until(scene, await create(scene, { message: 'First' }), { sent_count: 1, failed_count: 1 });
  expect(await recount(scene)).toEqual([1, 1]);
  const away = await makeScene(app, six.slice(0, 2), { hasPhone: false });
  await cap(away, { per_day: 1 });
  const { rows } = await app.ctx.pool.query<{ count: number }>(
    'select count(*)::int as count from cap_reservations where account_id = $1',
    [away.customer.id],
  );
  expect(rows[0]?.count).toBe(0);
  const campaign = await create(away, { message: 'Away' });
  await until(away, campaign, { status: 'running', waiting_for: 'no_connected_phone' });
  await away.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  expect(await recount(away)).toEqual([0, 0]);
});

test('a flow beyond the cap skips, and does not take the same person on again and again', async () => {
  const scene = await makeScene(app, six.slice(0, 1));
  const { api } = scene.customer;
  await cap(scene, { per_day: 1 });
  await until(scene, await create(scene, { message: 'First' }), { status: 'completed', sent_count: 1 });
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: scene.projectId, message: 'Hi' },
      active: true,
    },
  });
  const params = { flowId: flow.id };
  await expect.poll(async () => (await api.call(getFlow, { params })).body.counts.skipped).toBe(1);
  await api.call(runFlow, { params });
  expect((await api.call(getFlow, { params })).body.counts).toMatchObject({ skipped: 1, waiting: 0, sent: 0 });
});

test('where there is room for one message, the source of higher priority has it', async () => {
  const scene = await makeScene(app, six.slice(0, 3));
  await cap(scene, { per_day: 1 });
  const urgent = await create(scene, { message: 'Urgent', priority: 'high', duration: 600 });
  await until(scene, urgent, { status: 'running' });
  await expect.poll(async () => (await get(scene, urgent)).sent_count).toBeGreaterThan(0);
  const other = await create(scene, { message: 'Other', priority: 'low' });
  await until(scene, other, { sent_count: 0, skipped_count: 3 });
  await scene.customer.api.call(cancelCampaign, { params: { campaignId: urgent.id } });
});

test('a source of higher priority that cannot send leaves the place to one that can', async () => {
  const scene = await makeScene(app, six.slice(0, 3));
  await cap(scene, { per_day: 1 });
  const { id: withoutPhone } = await makeProject(scene.customer);
  const urgent = await create(scene, { message: 'Urgent', priority: 'high', project_id: withoutPhone });
  await until(scene, urgent, { status: 'running', waiting_for: 'no_connected_phone' });
  const other = await create(scene, { message: 'Other', priority: 'low' });
  await until(scene, other, { status: 'completed', sent_count: 3 });
  await connectSandboxPhone(scene.customer, withoutPhone);
  await until(scene, urgent, { status: 'failed', skipped_count: 3 });
});

test('caps are set, listed and ended, and refused where they make no sense', async () => {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const all = { topic_id: null, per_day: 2, per_week: 5 };
  expect((await api.call(putMessageCap, { body: all })).body.data).toEqual([all]);
  for (const [body, path] of [
    [{ ...all, per_day: 0 }, 'per_day'],
    [{ ...all, topic_id: 999_999 }, 'topic_id'],
  ] as const) {
    const refused = await api.refuse(putMessageCap, { body });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
  }
  await api.call(putMessageCap, { body: { topic_id: null, per_day: null, per_week: null } });
  expect((await api.call(listMessageCaps)).body.data).toEqual([]);
});
