import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign, getCampaignReport, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import { createFlow, getFlow, getFlowReport, runFlow } from '#contracts/flows.ts';
import { createBulkRun, getBulkRun, getBulkRunReport, listBulkRows, startBulkRun } from '#contracts/bulk-runs.ts';
import type { Expression } from '#contracts/expressions.ts';
import { getLinkSettings, putLinkSettings } from '#contracts/links.ts';
import { exampleCode } from '#contracts/own-links.ts';
import { previewSegment } from '#contracts/segments.ts';
import { takeOverEngagements } from '#server/modules/outreach/outcomes/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, holdPhone, makeScene, recipients, releasePhone, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const shop = 'https://shop.example.com/spring?utm_source=whatsapp#new';
const person = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36';

const people = (...phones: string[]) => phones.map((phone) => ({ phone }));

/** By number: the short addresses of the messages that were sent. */
async function linksOf(of: 'campaign' | 'flow' | 'bulk_run', id: number): Promise<Record<string, string[]>> {
  const { rows } = await app.ctx.pool.query<{ body: string; recipient: string }>(
    `select body, recipient from messages where ${of}_id = $1`,
    [id],
  );
  return Object.fromEntries(
    rows.map(({ body, recipient }) => [recipient, Array.from(body.matchAll(/\S+\/l\/\S+/g), ([link]) => link)]),
  );
}

const local = (link: string | undefined) => (link ?? '').replace(/^https?:\/\/[^/]+/, app.url);

type Visit = { method?: string; headers?: Record<string, string> };

const open = (link: string | undefined, init: Visit = {}) =>
  fetch(local(link), { redirect: 'manual', ...init, headers: { 'user-agent': person, ...init.headers } });

const reportOf = async ({ customer }: Scene, campaignId: number) =>
  (await customer.api.call(getCampaignReport, { params: { campaignId } })).body;

test('a link leads where the campaign said, and is counted once a person, link and message', async () => {
  const [ada, bob] = ['14155554101', '14155554102'] as const;
  const scene = await makeScene(app, people(ada, bob));
  const message = `Look: {link:${shop}} and {link:https://shop.example.com/b}`;
  const campaign = await create(scene, { message });
  await until(scene, campaign, { status: 'completed', sent_count: 2 });
  const links = await linksOf('campaign', campaign.id);
  const all = Object.values(links).flat();
  expect(new Set(all).size).toBe(4);
  for (const link of all) expect(link).toMatch(/\/l\/[\w-]{22}$/);
  const answer = await open(links[ada]?.[0]);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, shop]);
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  await Promise.all(Array.from({ length: 8 }, () => open(links[ada]?.[0])));
  await open(links[ada]?.[1]);
  expect((await get(scene, campaign)).clicked_count).toBe(1);
  await open(links[bob]?.[1]);
  const report = await reportOf(scene, campaign.id);
  expect(report.clicked).toBe(2);
  expect(report.links).toEqual([
    { url: 'https://shop.example.com/b', clicked: 2 },
    { url: shop, clicked: 1 },
  ]);
  const { data, total } = await recipients(scene, campaign, { status: 'clicked' });
  expect([data.map(({ phone }) => phone), total]).toEqual([[ada, bob], 2]);
});

test('conditions know who clicked, also of what was clicked before they asked', async () => {
  const [ada, bob] = ['14155554151', '14155554152'] as const;
  const scene = await makeScene(app, people(ada, bob));
  const campaign = await create(scene, { message: `{link:${shop}}` });
  // A receipt that still arrives would change the engagements that are compared below.
  await until(scene, campaign, { status: 'completed', sent_count: 2, read_count: 2 });
  const links = await linksOf('campaign', campaign.id);
  const clicked: Expression = {
    event: '$message.clicked',
    times: { op: '>=', n: 1 },
    where: [{ field: 'properties.campaign_id', op: 'equals', value: campaign.id }],
  };
  const reached: Expression = { message: { of: 'campaign', id: campaign.id }, state: 'clicked' };
  const phonesOf = async (expression: Expression) => {
    const { body } = await scene.customer.api.call(previewSegment, { body: { expression } });
    expect(body.count).toBe(body.sample.length);
    return body.sample.map(({ phone }) => phone).toSorted();
  };
  expect([await phonesOf(clicked), await phonesOf(reached)]).toEqual([[], []]);
  await open(links[ada]?.[0]);
  await open(links[ada]?.[0]);
  expect([await phonesOf(clicked), await phonesOf(reached)]).toEqual([[ada], [ada]]);
  expect(await phonesOf({ ...clicked, times: { op: '=', n: 1 } })).toEqual([ada]);
  expect(await phonesOf({ not: clicked })).toEqual([bob]);

  const before = await engagementsOf(campaign.id);
  expect(before.map(({ clicked_at }) => clicked_at !== null)).toEqual([true, false]);
  await app.ctx.pool.query('delete from engagements where source_id = $1', [campaign.id]);
  await app.ctx.pool.query('insert into engagement_backfill (account_id) values ($1)', [scene.customer.id]);
  expect(await phonesOf(clicked)).toEqual([]);
  await takeOverEngagements(app.ctx);
  // All but when the row was written, which is when the message came furthest.
  expect(await engagementsOf(campaign.id)).toEqual(before);
  expect(await phonesOf(clicked)).toEqual([ada]);
});

async function engagementsOf(campaignId: number) {
  const { rows } = await app.ctx.pool.query<{ sent_at: Date | null; clicked_at: Date | null }>(
    `select message_id, profile_id, source, sent_at, delivered_at, read_at, replied_at, clicked_at, failed_at
       from engagements where source = 'campaign' and source_id = $1 order by profile_id`,
    [campaignId],
  );
  return rows;
}

test.each<[string, Visit]>([
  ['HEAD', { method: 'HEAD' }],
  ["WhatsApp's preview", { headers: { 'user-agent': 'WhatsApp/2.24.20.79 A' } }],
  ['a crawler', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
  ['another crawler', { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  ['a tool', { headers: { 'user-agent': 'curl/8.5.0' } }],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
])('%s gets the address and is no click', async (_name, init) => {
  const scene = await makeScene(app, people('14155554201'));
  const campaign = await create(scene, { message: `{link:${shop}}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const [link] = Object.values(await linksOf('campaign', campaign.id)).flat();
  expect((await open(link, init)).headers.get('location')).toBe(shop);
  expect((await reportOf(scene, campaign.id)).clicked).toBe(0);
});

test('a phone whose maker is called Cubot is opened by a person', async () => {
  const scene = await makeScene(app, people('14155554211'));
  const campaign = await create(scene, { message: `{link:${shop}}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const [link] = Object.values(await linksOf('campaign', campaign.id)).flat();
  const agent = 'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/96 Mobile Safari/537.36';
  await open(link, { headers: { 'user-agent': agent } });
  expect((await reportOf(scene, campaign.id)).clicked).toBe(1);
});

test.each([
  ['https://shop.example.com/日本語?q=größe', 'https://shop.example.com/%E6%97%A5%E6%9C%AC%E8%AA%9E?q=gr%C3%B6%C3%9Fe'],
  ['https://münchen.example/🎁', 'https://xn--mnchen-3ya.example/%F0%9F%8E%81'],
])('%s leads there as a header spells it', async (written, spelled) => {
  const scene = await makeScene(app, people('14155554221'));
  const campaign = await create(scene, { message: `{link:${written}}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const [link] = Object.values(await linksOf('campaign', campaign.id)).flat();
  const answer = await open(link);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, spelled]);
  expect((await reportOf(scene, campaign.id)).links).toEqual([{ url: written, clicked: 1 }]);
});

test('a click that overtakes the news that its message went is known to conditions', async () => {
  const scene = await makeScene(app, people('14155554231', '14155554232'), { hasPhone: false });
  const phone = await connectSandboxPhone(scene.customer, scene.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(scene, { message: `{link:${shop}}` });
  await expect.poll(async () => Object.keys(await linksOf('campaign', campaign.id)).length).toBe(2);
  const [link] = (await linksOf('campaign', campaign.id))['14155554231'] ?? [];
  await open(link);
  const clicked: Expression = {
    event: '$message.clicked',
    times: { op: '>=', n: 1 },
    where: [{ field: 'properties.campaign_id', op: 'equals', value: campaign.id }],
  };
  const phones = async () => {
    const { body } = await scene.customer.api.call(previewSegment, { body: { expression: clicked } });
    return body.sample.map((each) => each.phone);
  };
  expect(await phones()).toEqual(['14155554231']);
  await releasePhone(app, phone.id);
  await until(scene, campaign, { status: 'completed', sent_count: 2, read_count: 2 });
  expect(await phones()).toEqual(['14155554231']);
  expect((await engagementsOf(campaign.id)).map(({ sent_at }) => sent_at !== null)).toEqual([true, true]);
});

test('nothing leads elsewhere: an address that was not made here is none', async () => {
  for (const path of ['x', 'A'.repeat(22), 'https:%2F%2Fevil.example', '..%2F..%2Fevil', `${'B'.repeat(21)}%0d%0a`]) {
    const answer = await open(`${app.url}/l/${path}?url=https://evil.example`);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null]);
  }
  expect(await (await open(`${app.url}/l/test`)).text()).toBe('This domain leads to your links.');
});

test.each([
  '{link:javascript:alert(1)}',
  '{link:shop.example.com}',
  '{link:https://user:pass@example.com}',
  '{link:https://}',
  '{link:}',
  'See {link:https://shop.example.com/?ref={name}}',
  `{link:https://shop.example.com/${'x'.repeat(600)}}`,
])('%s is refused where it is written', async (message) => {
  const scene = await makeScene(app, 0);
  const refused = await scene.customer.api.refuse(createCampaign, { body: { ...scene.body, message } });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'message']);
});

test('a review shows the message with addresses as long as they will be', async () => {
  const scene = await makeScene(app, people('14155554301'));
  const campaign = await create(scene, { message: `See {link:${shop}} {preferences_link}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const { body: review } = await scene.customer.api.call(previewCampaign, {
    body: { segment_id: scene.segmentId, message: campaign.message, project_id: scene.projectId },
  });
  const sent = await app.ctx.pool.query<{ body: string }>('select body from messages where campaign_id = $1', [
    campaign.id,
  ]);
  expect(review.samples[0]?.message).toMatch(/^See \S+\/l\/[\w-]{22} \S+\/p\/[\w-]{22}$/);
  expect(review.samples[0]?.message.length).toBe(sent.rows[0]?.body.length);
  expect(review.placeholders).toEqual([]);
  for (const link of [/\S+\/l\/\S+/.exec(review.samples[0]?.message ?? '')?.[0], `${app.url}/l/${exampleCode}`]) {
    const answer = await open(link);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await answer.text()).toContain('This is an example');
  }
});

test('a domain of one’s own stands in what is sent from then on', async () => {
  const scene = await makeScene(app, people('14155554401'));
  const { api } = scene.customer;
  for (const domain of ['https://go.example.com', 'localhost', 'go.example.com/x', '10.0.0.1']) {
    const refused = await api.refuse(putLinkSettings, { body: { domain } });
    expect([domain, refused.status, refused.body.errors?.[0]?.path]).toEqual([domain, 422, 'domain']);
  }
  const { body } = await api.call(putLinkSettings, { body: { domain: 'GO.example.com' } });
  expect(body).toEqual({ domain: 'go.example.com', default_url: app.ctx.config.publicUrl });
  const campaign = await create(scene, { message: `{link:${shop}}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const [link] = Object.values(await linksOf('campaign', campaign.id)).flat();
  expect(link).toMatch(/^https:\/\/go\.example\.com\/l\/[\w-]{22}$/);
  expect((await open(link)).headers.get('location')).toBe(shop);
  await api.call(putLinkSettings, { body: { domain: null } });
  expect((await api.call(getLinkSettings)).body.domain).toBeNull();
});

test('flows and bulk runs count clicks, too', async () => {
  const scene = await makeScene(app, people('14155554501'));
  const { api } = scene.customer;
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Shop',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: scene.projectId, message: `{link:${shop}}` },
      active: false,
    },
  });
  await api.call(runFlow, { params: { flowId: flow.id } });
  await expect.poll(async () => (await api.call(getFlow, { params: { flowId: flow.id } })).body.counts.sent).toBe(1);
  await open(Object.values(await linksOf('flow', flow.id)).flat()[0]);
  const { body: ofFlow } = await api.call(getFlowReport, { params: { flowId: flow.id } });
  expect([ofFlow.clicked, ofFlow.links]).toEqual([1, [{ url: shop, clicked: 1 }]]);
  const { body: run } = await api.call(createBulkRun, {
    body: {
      project_id: scene.projectId,
      message: `Hi {name} {link:${shop}}`,
      delay_ms: 0,
      rows: [{ to: '14155554502' }],
    },
  });
  const params = { runId: run.id };
  await api.call(startBulkRun, { params });
  await expect.poll(async () => (await api.call(getBulkRun, { params })).body.status).toBe('completed');
  await open(Object.values(await linksOf('bulk_run', run.id)).flat()[0]);
  expect((await api.call(getBulkRunReport, { params })).body.clicked).toBe(1);
  const { body: rows } = await api.call(listBulkRows, { params, query: { status: 'clicked' } });
  expect(rows.data.map(({ phone }) => phone)).toEqual(['14155554502']);
});

test('a message that waits gets the links of another text', async () => {
  const scene = await makeScene(app, people('14155554601'));
  const campaign = await create(scene, { message: `{link:${shop}}`, when: '2099-01-01T00:00:00Z' });
  const params = { campaignId: campaign.id };
  await scene.customer.api.call(updateCampaign, { params, body: { message: '{link:https://b.example/}', when: null } });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const [link] = Object.values(await linksOf('campaign', campaign.id)).flat();
  expect((await open(link)).headers.get('location')).toBe('https://b.example/');
});
