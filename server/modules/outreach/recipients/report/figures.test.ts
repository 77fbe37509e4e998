import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBulkRun, exportBulkRows, getBulkRunReport, listBulkRows, startBulkRun } from '#contracts/bulk-runs.ts';
import { cancelCampaign, getCampaignReport, listRecipients } from '#contracts/campaigns.ts';
import { previewSegment } from '#contracts/segments.ts';
import type { EndpointInput } from '#contracts/endpoint.ts';
import type { Report } from '#contracts/reports.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, makeScene, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const shop = 'https://shop.example.com/spring?a=1&b=2';
const [ada, bob, cy, absent] = ['14155554301', '14155554302', '14155554303', '14155550000'] as const;

async function answer({ customer, projectId }: Scene, from: string, message: string): Promise<void> {
  const { body: phones } = await customer.api.call(listPhoneNumbers, { params: { projectId }, query: {} });
  const params = { phoneId: phones.data[0]?.id ?? 0 };
  await customer.api.call(receiveSandboxMessage, { params, body: { from, message } });
}

async function openLink(of: 'campaign' | 'bulk_run', id: number, number: string): Promise<void> {
  const { rows } = await app.ctx.pool.query<{ body: string }>(
    `select body from messages where ${of}_id = $1 and recipient = $2`,
    [id, number],
  );
  const path = /\/l\/\S+/.exec(rows[0]?.body ?? '')?.[0];
  const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/130 Mobile Safari/537.36' };
  expect((await fetch(`${app.url}${path}`, { headers, redirect: 'manual' })).status).toBe(302);
}

type Figure = Partial<EndpointInput<typeof listRecipients>['query']>;

/** Each figure of a report, with the filter that finds its people. */
const figuresOf = (report: Report): [Figure, number][] => [
  [{}, report.total],
  ...(['sent', 'delivered', 'read', 'replied', 'clicked', 'opted_out', 'failed', 'skipped', 'waiting'] as const).map(
    (status): [Figure, number] => [{ status }, report[status]],
  ),
  ...report.failures.map(({ code, reason, count }): [Figure, number] => [
    { status: 'failed', error_code: code ?? 'none', reason },
    count,
  ]),
  ...report.skips.map(({ code, reason, count }): [Figure, number] => [
    { status: 'skipped', error_code: code, reason },
    count,
  ]),
  ...report.links.map(({ url, clicked }): [Figure, number] => [{ link: url }, clicked]),
];

test('each figure of a campaign has exactly its people', async () => {
  const scene = await makeScene(app, [
    ...[ada, bob, cy, absent].map((phone) => ({ phone })),
    { phone: '14155554304', status: 'Unsubscribed' },
  ]);
  const { api } = scene.customer;
  const campaign = await create(scene, { message: `Hi {link:${shop}}` });
  await until(scene, campaign, { status: 'completed', read_count: 3 });
  await answer(scene, ada, 'Yes, please');
  await answer(scene, bob, 'STOP');
  await openLink('campaign', campaign.id, cy);
  const params = { campaignId: campaign.id };
  const { body: report } = await api.call(getCampaignReport, { params });
  expect(report).toMatchObject({ total: 5, sent: 3, replied: 1, clicked: 1, opted_out: 1, failed: 1, skipped: 1 });
  for (const [query, count] of figuresOf(report)) {
    const { body } = await api.call(listRecipients, { params, query });
    expect([query, body.total, body.data.length]).toEqual([query, count, count]);
  }
  const list = async (query: Figure) =>
    (await api.call(listRecipients, { params, query })).body.data.map(({ phone }) => phone);
  expect(await list({ status: 'opted_out' })).toEqual([bob]);
  expect(await list({ link: shop })).toEqual([cy]);
  expect(await list({ link: shop, status: 'replied' })).toEqual([]);
  expect(await list({ error_code: 'not_on_whatsapp' })).toEqual([absent]);
  expect(await list({ error_code: 'opted_out', search: '1415' })).toEqual(['14155554304']);
  expect(await list({ reason: 'No such reason' })).toEqual([]);
  const [clicked] = (await api.call(listRecipients, { params, query: { status: 'clicked' } })).body.data;
  expect(Date.parse(clicked?.clicked_at ?? '')).toBeLessThanOrEqual(app.ctx.clock.now().getTime());
});

test('the people who opened a link of a campaign, and those who opted out after it, make segments', async () => {
  const scene = await makeScene(
    app,
    [ada, bob].map((phone) => ({ phone })),
  );
  const { api } = scene.customer;
  const campaign = await create(scene, { message: `Hi {link:${shop}}` });
  await until(scene, campaign, { status: 'completed', sent_count: 2 });
  await openLink('campaign', campaign.id, ada);
  await answer(scene, bob, 'STOP');
  const count = async (event: string, campaignId = campaign.id) => {
    const where = [{ field: 'properties.campaign_id', op: 'equals' as const, value: campaignId }];
    return (await api.call(previewSegment, { body: { expression: { event, where } } })).body.count;
  };
  expect([await count('$message.clicked'), await count('$message.opted_out')]).toEqual([1, 1]);
  expect(await count('$message.clicked', campaign.id + 1)).toBe(0);
});

test('people who still waited when a campaign was cancelled is found by the reason', async () => {
  const scene = await makeScene(app, 4);
  const { api } = scene.customer;
  const campaign = await create(scene, { message: 'Hello', duration: 600 });
  await until(scene, campaign, { status: 'running' });
  const params = { campaignId: campaign.id };
  await api.call(cancelCampaign, { params });
  const { body: report } = await api.call(getCampaignReport, { params });
  const skips = figuresOf(report).filter(([{ status }]) => status === 'skipped');
  expect(skips).toHaveLength(2);
  for (const [query, count] of skips) {
    expect([query, (await api.call(listRecipients, { params, query })).body.total]).toEqual([query, count]);
  }
});

test('each figure of a bulk run has exactly its rows, also as a file', async () => {
  const scene = await makeScene(app, 0);
  const { api, token } = scene.customer;
  const { body: run } = await api.call(createBulkRun, {
    body: {
      project_id: scene.projectId,
      message: `Hi {link:${shop}}`,
      delay_ms: 0,
      rows: [ada, bob, absent].map((to) => ({ to })),
    },
  });
  const params = { runId: run.id };
  await api.call(startBulkRun, { params });
  const report = async () => (await api.call(getBulkRunReport, { params })).body;
  await expect.poll(report).toMatchObject({ total: 3, read: 2, failed: 1 });
  await answer(scene, bob, 'STOP');
  await openLink('bulk_run', run.id, ada);
  const figures = figuresOf(await report());
  for (const [query, count] of figures) {
    expect([query, (await api.call(listBulkRows, { params, query })).body.total]).toEqual([query, count]);
  }
  const response = await fetch(`${app.url}${exportBulkRows.path.replace('{runId}', String(run.id))}?status=opted_out`, {
    headers: { authorization: token },
  });
  const lines = (await response.text()).trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(bob);
});
