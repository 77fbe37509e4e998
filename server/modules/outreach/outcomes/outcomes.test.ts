import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cancelCampaign,
  getCampaignReport,
  listRecipients,
  pauseCampaign,
  resumeCampaign,
  retryFailedRecipients,
} from '#contracts/campaigns.ts';
import type { Campaign, EntryFilter } from '#contracts/campaigns.ts';
import { createBulkRun, getBulkRun, listBulkRows, retryFailedRows, startBulkRun } from '#contracts/bulk-runs.ts';
import {
  createFlow,
  getFlow,
  getFlowReport,
  listDeliveries,
  retryFailedDeliveries,
  runFlow,
} from '#contracts/flows.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { getProject } from '#contracts/projects.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { recountOutcomes } from '#tests/support/recount-outcomes.ts';
import { removeOldOutcomes } from './index.ts';

const dayMs = 86_400_000;

let app: TestApplication;
let aheadMs = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => new Date(Date.now() + aheadMs) } });
});

afterAll(() => app[Symbol.asyncDispose]());

const report = async ({ customer }: Scene, { id }: Campaign) =>
  (await customer.api.call(getCampaignReport, { params: { campaignId: id } })).body;

async function answer({ customer, projectId }: Scene, from: string, message = 'Yes, please'): Promise<void> {
  const { body: phones } = await customer.api.call(listPhoneNumbers, { params: { projectId }, query: {} });
  const params = { phoneId: phones.data[0]?.id ?? 0 };
  await customer.api.call(receiveSandboxMessage, { params, body: { from, message } });
}

const ledgers = {
  campaign: { entries: 'campaign_recipients', sources: 'campaigns' },
  flow: { entries: 'flow_deliveries', sources: 'flows' },
  bulk_run: { entries: 'bulk_run_rows', sources: 'bulk_runs' },
} as const;

/** As if the network had refused one of those that were sent, where another attempt may go better. */
async function refuseOne(of: { source: keyof typeof ledgers; sourceId: number; to: string }): Promise<void> {
  const { entries, sources } = ledgers[of.source];
  await app.ctx.pool.query(
    `with refused as (
       update messages set status = 'failed', error = 'The network refused it', error_code = 'network_refused',
                           sent_at = null, delivered_at = null, read_at = null
        where ${of.source}_id = $1 and recipient = $2 returning id)
     update ${entries} set status = 'failed', reason = 'The network refused it'
      where ${of.source}_id = $1 and message_id in (select id from refused)`,
    [of.sourceId, of.to],
  );
  await app.ctx.pool.query(
    `update ${sources} set sent_count = sent_count - 1, failed_count = failed_count + 1 where id = $1`,
    [of.sourceId],
  );
}

async function sentBy(source: keyof typeof ledgers, sourceId: number): Promise<Record<string, number>> {
  const { rows } = await app.ctx.pool.query<{ recipient: string; messages: number }>(
    `select recipient, count(*)::int as messages from messages where ${source}_id = $1 group by recipient`,
    [sourceId],
  );
  return Object.fromEntries(rows.map(({ recipient, messages }) => [recipient, messages]));
}

const people = (...phones: string[]) => phones.map((phone) => ({ phone }));

/** Sent to all of a scene, and read by those whose numbers let it. */
async function campaignRead(scene: Scene, message: string, read: number): Promise<Campaign> {
  const campaign = await create(scene, { message });
  return until(scene, campaign, { status: 'completed', read_count: read });
}

test('a campaign counts what was delivered, read and answered, as a recount of its messages does', async () => {
  // To a sandbox +1 415 555 0000 is not on WhatsApp, and 0001 is sent to and never reached.
  const scene = await makeScene(app, people('14155552101', '14155552102', '14155552103', '14155550000', '14155550001'));
  const campaign = await campaignRead(scene, 'Hello {name}!', 3);
  await answer(scene, '14155552101');
  await answer(scene, '14155552101', 'And another thing');
  await answer(scene, '14155552102', 'STOP');
  await answer(scene, '14155559999', 'Wrong number?');
  expect(await get(scene, campaign)).toMatchObject({
    sent_count: 4,
    failed_count: 1,
    delivered_count: 3,
    read_count: 3,
    replied_count: 1,
    opted_out_count: 1,
  });
  const found = await report(scene, campaign);
  expect(found).toMatchObject({
    total: 5,
    sent: 4,
    delivered: 3,
    read: 3,
    replied: 1,
    opted_out: 1,
    failures: [{ code: 'not_on_whatsapp', count: 1, can_retry: false }],
    skips: [],
  });
  const sum = (key: 'sent' | 'delivered' | 'read' | 'replied') =>
    found.over_time.spans.reduce((total, span) => total + span[key], 0);
  expect([sum('sent'), sum('delivered'), sum('read'), sum('replied')]).toEqual([4, 3, 3, 1]);
  expect(await recountOutcomes(app.ctx.pool)).toContainEqual({
    source: 'campaign',
    source_id: campaign.id,
    sent: 4,
    delivered: 3,
    read: 3,
    replied: 1,
  });
  const refused = await scene.customer.api.refuse(retryFailedRecipients, { params: { campaignId: campaign.id } });
  expect(refused.body.code).toBe('nothing_to_retry');
});

test('after a message of an agent an answer counts for that, not for the campaign before it', async () => {
  const scene = await makeScene(app, people('14155552151', '14155552152'));
  const campaign = await campaignRead(scene, 'Hello {name}!', 2);
  const { projectId, customer } = scene;
  const { body: project } = await customer.api.call(getProject, { params: { projectId } });
  const response = await fetch(`${app.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key ?? '' },
    body: JSON.stringify({ to: '14155552151', message: 'Any news?' }),
  });
  expect(response.status).toBe(200);
  await answer(scene, '14155552151');
  await answer(scene, '14155552152');
  expect(await get(scene, campaign)).toMatchObject({ replied_count: 1 });
});

test('a message that was sent and then failed is a failure in every figure, and a skip carries its code', async () => {
  const scene = await makeScene(app, [
    ...people('14155552111', '14155550004'),
    { phone: '14155552112', name: undefined },
    { phone: '14155552113', status: 'Unsubscribed' },
  ]);
  const campaign = await create(scene, { message: '{name}' });
  await until(scene, campaign, { status: 'completed', sent_count: 1, failed_count: 1, skipped_count: 2 });
  const found = await report(scene, campaign);
  expect(found).toMatchObject({ total: 4, sent: 1, failed: 1, skipped: 2, waiting: 0 });
  const total = (key: 'sent' | 'failed') => (found.by_minute?.spans ?? []).reduce((sum, span) => sum + span[key], 0);
  expect(found.over_time.spans.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
  expect([total('sent'), total('failed')]).toEqual([1, 1]);
  expect(found.skips.map(({ code, count }) => [code, count])).toEqual(
    expect.arrayContaining([
      ['empty_message', 1],
      ['opted_out', 1],
    ]),
  );
  const { data } = await recipients(scene, campaign, { status: 'skipped' });
  expect(new Set(data.map(({ error_code }) => error_code))).toEqual(new Set(['empty_message', 'opted_out']));
});

test('a report says when its campaign was paused, and for how long', async () => {
  const scene = await makeScene(app, 3);
  const campaign = await create(scene, { message: 'Hello', duration: 600 });
  await until(scene, campaign, { status: 'running' });
  const params = { campaignId: campaign.id };
  await scene.customer.api.call(pauseCampaign, { params });
  const paused = await report(scene, campaign);
  expect(paused.holds.at(-1)).toMatchObject({ kind: 'paused', ended_at: null });
  aheadMs += 5 * 60_000;
  await scene.customer.api.call(resumeCampaign, { params });
  const [hold] = (await report(scene, campaign)).holds.filter(({ kind }) => kind === 'paused');
  expect(Date.parse(hold?.ended_at ?? '') - Date.parse(hold?.began_at ?? '')).toBeGreaterThanOrEqual(5 * 60_000);
  await scene.customer.api.call(cancelCampaign, { params });
  const { skipped, skips } = await report(scene, campaign);
  expect(skips).toEqual([{ code: 'withdrawn', reason: 'The campaign was cancelled', count: skipped }]);
});

test('a flow lists a message that was sent and then failed as failed', async () => {
  const scene = await makeScene(app, people('14155550004'));
  const { api } = scene.customer;
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      duration: { type: 'last_hours', hours: 24, dateFieldPath: 'created_at' },
      action: { projectId: scene.projectId, message: 'Welcome' },
      active: false,
    },
  });
  const params = { flowId: flow.id };
  await api.call(runFlow, { params });
  const found = async () => (await api.call(getFlowReport, { params })).body;
  await expect.poll(found).toMatchObject({ total: 1, sent: 0, failed: 1 });
  const { body } = await api.call(listDeliveries, { params, query: {} });
  expect(body.deliveries).toMatchObject([{ status: 'failed', message_status: 'failed', sent_at: null }]);
  expect((await found()).by_minute?.spans).toMatchObject([{ sent: 0, failed: 1 }]);
});

test('an answer counts for what wrote last, and for seven days', async () => {
  const scene = await makeScene(app, people('14155552201', '14155552202'));
  const first = await campaignRead(scene, 'First', 2);
  await answer(scene, '14155552201');
  const second = await campaignRead(scene, 'Second', 2);
  await answer(scene, '14155552201');
  aheadMs += 8 * dayMs;
  await answer(scene, '14155552202');
  expect([(await get(scene, first)).replied_count, (await get(scene, second)).replied_count]).toEqual([1, 1]);
  await removeOldOutcomes(app.ctx);
  expect((await report(scene, second)).replied).toBe(1);
  for (const campaign of [first, second]) {
    const params = { campaignId: campaign.id };
    const { body: found } = await scene.customer.api.call(listRecipients, { params, query: { status: 'replied' } });
    expect([found.data.map(({ phone }) => phone), found.total]).toEqual([['14155552201'], 1]);
    const { data } = await recipients(scene, campaign);
    expect(data.map(({ phone, replied_at }) => [phone, replied_at !== null])).toEqual([
      ['14155552201', true],
      ['14155552202', false],
    ]);
  }
});

test('a flow has its report, too', async () => {
  const scene = await makeScene(app, people('14155552301', '14155552302'));
  const { api } = scene.customer;
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      duration: { type: 'last_hours', hours: 24, dateFieldPath: 'created_at' },
      action: { projectId: scene.projectId, message: 'Welcome' },
      active: false,
    },
  });
  const params = { flowId: flow.id };
  await api.call(runFlow, { params });
  const found = () => api.call(getFlowReport, { params }).then(({ body }) => body);
  await expect.poll(found).toMatchObject({ total: 2, sent: 2, delivered: 2, read: 2 });
  await answer(scene, '14155552302');
  expect((await found()).replied).toBe(1);
  const list = async (status: EntryFilter) => {
    const { body } = await api.call(listDeliveries, { params, query: { status } });
    return [body.deliveries.map(({ phone }) => phone), body.total];
  };
  expect(await list('replied')).toEqual([['14155552302'], 1]);
  expect(await list('sent')).toEqual([['14155552302', '14155552301'], 2]);
  for (const status of ['waiting', 'pending', 'failed', 'skipped'] as const)
    expect(await list(status)).toEqual([[], 0]);
});

test('recipients whose failure may be mended are sent to again, once', async () => {
  const scene = await makeScene(app, people('14155552401', '14155552402', '14155550000'));
  const campaign = await campaignRead(scene, 'Hello', 2);
  await refuseOne({ source: 'campaign', sourceId: campaign.id, to: '14155552402' });
  expect((await report(scene, campaign)).failures).toMatchObject([
    { code: 'network_refused', count: 1, can_retry: true },
    { code: 'not_on_whatsapp', count: 1, can_retry: false },
  ]);
  const { body: retried } = await scene.customer.api.call(retryFailedRecipients, {
    params: { campaignId: campaign.id },
  });
  expect(retried).toMatchObject({ status: 'running', failed_count: 1 });
  await until(scene, campaign, { status: 'completed', sent_count: 2, failed_count: 1 });
  expect(await sentBy('campaign', campaign.id)).toEqual({ 14155550000: 1, 14155552401: 1, 14155552402: 2 });
});

test('rows of a bulk run whose failure may be mended are sent to again, once; a stopped one sends nothing', async () => {
  const scene = await makeScene(app, 0);
  const { api } = scene.customer;
  const rows = ['14155552501', '14155552502'].map((to) => ({ to }));
  const { body: run } = await api.call(createBulkRun, {
    body: { project_id: scene.projectId, message: 'Hi', delay_ms: 0, rows },
  });
  const params = { runId: run.id };
  const read = async () => (await api.call(getBulkRun, { params })).body;
  await api.call(startBulkRun, { params });
  await expect.poll(read).toMatchObject({ status: 'completed', sent_count: 2 });
  expect((await api.refuse(retryFailedRows, { params })).body.code).toBe('nothing_to_retry');
  await refuseOne({ source: 'bulk_run', sourceId: run.id, to: '14155552502' });
  const { body: retried } = await api.call(retryFailedRows, { params });
  expect(retried).toMatchObject({ status: 'running', failed_count: 0, finished_at: null });
  await expect.poll(read).toMatchObject({ status: 'completed', sent_count: 2, waiting_count: 0 });
  expect(await sentBy('bulk_run', run.id)).toEqual({ 14155552501: 1, 14155552502: 2 });
  await answer(scene, '14155552502');
  const { body: listed } = await api.call(listBulkRows, { params, query: {} });
  expect(listed.data.map(({ replied_at }) => replied_at === null)).toEqual([true, false]);
  const { body: replied } = await api.call(listBulkRows, { params, query: { status: 'replied' } });
  expect([replied.data.map(({ phone }) => phone), replied.total]).toEqual([['14155552502'], 1]);
  await refuseOne({ source: 'bulk_run', sourceId: run.id, to: '14155552501' });
  await app.ctx.pool.query("update bulk_runs set status = 'stopped' where id = $1", [run.id]);
  expect((await api.refuse(retryFailedRows, { params })).body.code).toBe('bulk_run_not_running');
});

test('a recipient who got the message of a flow since its failure gets no other attempt', async () => {
  const scene = await makeScene(app, people('14155552601', '14155552602'));
  const { api } = scene.customer;
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: scene.projectId, message: 'Welcome' },
      frequency: { type: 'once_per_hours', value: 1 },
      duration: { type: 'last_days', days: 30, dateFieldPath: 'created_at' },
      active: false,
    },
  });
  const params = { flowId: flow.id };
  const counts = async () => (await api.call(getFlow, { params })).body.counts;
  await api.call(runFlow, { params });
  await expect.poll(counts).toMatchObject({ sent: 2 });
  expect((await api.refuse(retryFailedDeliveries, { params })).body.code).toBe('nothing_to_retry');
  for (const to of ['14155552601', '14155552602']) await refuseOne({ source: 'flow', sourceId: flow.id, to });
  // The first has had it again meanwhile.
  aheadMs += 2 * 3_600_000;
  await app.ctx.pool.query("update profiles set name = null where phone = '14155552602'");
  await api.call(runFlow, { params });
  await expect.poll(counts).toMatchObject({ sent: 1, failed: 2, waiting: 0 });
  await app.ctx.pool.query("update profiles set name = 'Bo' where phone = '14155552602'");
  const { body: retried } = await api.call(retryFailedDeliveries, { params });
  expect(retried.counts).toMatchObject({ failed: 1, waiting: 1 });
  // While it is on its way, a run finds nobody to write to.
  await api.call(runFlow, { params });
  await expect.poll(counts).toMatchObject({ sent: 2, failed: 1, waiting: 0 });
  expect(await sentBy('flow', flow.id)).toEqual({ 14155552601: 2, 14155552602: 2 });
  await answer(scene, '14155552602');
  const { body: listed } = await api.call(listDeliveries, { params, query: {} });
  expect(listed.deliveries.filter(({ replied_at }) => replied_at !== null).map(({ phone }) => phone)).toEqual([
    '14155552602',
  ]);
});
