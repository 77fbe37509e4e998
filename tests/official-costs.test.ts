import { expect, test, vi } from 'vitest';
import { createCampaign, getCampaign, getCampaignReport, previewCampaign } from '#contracts/campaigns.ts';
import { getMessage } from '#contracts/messages.ts';
import { getPhoneCosts, listMessagePrices } from '#contracts/prices.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { connectSandboxPhone } from './support/customer.ts';
import { addTemplate } from './support/connect-official.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

async function replacePrices({ customer }: OfficialScene, csv: string) {
  const response = await fetch(`${app.url}/api/message-prices`, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv', authorization: customer.token },
    body: csv,
  });
  return {
    status: response.status,
    body: (await response.json()) as { prices?: number; code?: string; message?: string },
  };
}

const list = `country,category,currency,price,valid_from
DE,marketing,EUR,0.1131,2026-01-01
DE,marketing,EUR,0.2,2099-01-01
*,marketing,EUR,0.0500,2026-01-01
`;

test('the price list prices the review, the report and the number; without a price it says so', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta, {
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hi {{first_name}}, all bulbs.' }],
  });
  await scene.sync();
  const segmentId = await scene.segment([{ name: 'Ana' }, { name: 'Ben' }], 4915130001000);
  await scene.segment([{ name: 'Cem' }], 351912345100);
  const bound = { name: template.name, language: template.language, variables: { first_name: '{name|you}' } };
  const body = { segment_id: segmentId, project_id: scene.project.id, template: bound };
  const review = async () => (await scene.api.call(previewCampaign, { body })).body.cost;
  expect(await review()).toMatchObject({ amounts: [], unpriced: 3 });
  expect(await replacePrices(scene, list)).toEqual({ status: 200, body: { prices: 3 } });
  expect(await review()).toEqual({
    amounts: [{ currency: 'EUR', amount: '0.2762' }],
    unpriced: 0,
    lines: [
      { country: 'DE', category: 'marketing', count: 2, price: { currency: 'EUR', amount: '0.1131' } },
      { country: 'PT', category: 'marketing', count: 1, price: { currency: 'EUR', amount: '0.05' } },
    ],
  });
  const { body: campaign } = await scene.api.call(createCampaign, { body: { name: 'A', ...body } });
  const params = { campaignId: campaign.id };
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getCampaign, { params })).body).toMatchObject({
        status: 'completed',
        sent_count: 3,
      }),
    patience,
  );
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getCampaignReport, { params })).body.cost).toMatchObject({
        amounts: [{ currency: 'EUR', amount: '0.2762' }],
        unpriced: 0,
      }),
    patience,
  );
  meta.receiveText('4915130001000', 'Thanks');
  const reply = await vi.waitFor(async () => {
    const answer = await scene.send({ to: '+4915130001000', message: 'You are welcome' });
    expect(answer.status).toBe(200);
    return answer.body;
  }, patience);
  const messageOf = async (messageId: number) => (await scene.api.call(getMessage, { params: { messageId } })).body;
  await vi.waitFor(
    async () => expect((await messageOf(reply.id)).pricing).toEqual({ category: 'service', billed: false }),
    patience,
  );
  const { body: costs } = await scene.api.call(getPhoneCosts, { params: { phoneId: scene.phone.id }, query: {} });
  expect(costs).toMatchObject({
    delivered: 4,
    billed: 3,
    cost: { amounts: [{ currency: 'EUR', amount: '0.2762' }], unpriced: 0 },
  });
  const { body: earlier } = await scene.api.call(getPhoneCosts, {
    params: { phoneId: scene.phone.id },
    query: { month: '2026-01' },
  });
  expect(earlier).toMatchObject({ month: '2026-01', delivered: 0, cost: { amounts: [] } });
});

test('a status that comes twice is counted once', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta, { components: [{ type: 'BODY', text: 'All bulbs.' }] });
  await scene.sync();
  meta.webhooks.faults.isDoubled = true;
  const { name, language } = template;
  const { body } = await scene.send({ to: '+4915130002000', type: 'template', template: { name, language } });
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getMessage, { params: { messageId: body.id } })).body).toMatchObject({
        status: 'read',
        pricing: { category: 'utility', billed: true },
      }),
    patience,
  );
  await meta.webhooks.settled();
  meta.webhooks.faults.isDoubled = false;
  const { body: costs } = await scene.api.call(getPhoneCosts, { params: { phoneId: scene.phone.id }, query: {} });
  expect(costs).toMatchObject({ delivered: 1, billed: 1, cost: { amounts: [], unpriced: 1 } });
});

test.for<[string, string, string]>([
  ['a country by its name', 'country,category,currency,price\nGermany,marketing,EUR,0.1\n', 'Line 2'],
  ['a code that no country has', 'country,category,currency,price\nAQ,marketing,EUR,1\nUK,marketing,EUR,1\n', 'Line 3'],
  ['a comma in the price', 'country,category,currency,price\nDE,marketing,EUR,"0,1"\n', 'Line 2'],
  ['no price', 'country,category,currency\nDE,marketing,EUR\n', 'price is missing'],
  ['a day that is none', 'country,category,currency,price,valid_from\nDE,marketing,EUR,1,2026-02-30\n', 'Line 2'],
  ['a price twice', 'country,category,currency,price\nDE,utility,EUR,1\nDE,utility,EUR,2\n', 'Line 3'],
  ['nothing', '', 'empty'],
])('a price list with %s is refused as a whole', async ([, csv, words]) => {
  const scene = await officialScene(app, meta);
  await replacePrices(scene, list);
  const refused = await replacePrices(scene, csv);
  expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_csv' } });
  expect(refused.body.message).toContain(words);
  const { body: kept } = await scene.api.call(listMessagePrices, { query: { country: 'DE' } });
  expect(kept.data.map(({ price, valid_from: from }) => [price, from])).toEqual([
    ['0.20', '2099-01-01'],
    ['0.1131', '2026-01-01'],
  ]);
  expect(await replacePrices(scene, 'country,category,currency,price\n')).toMatchObject({ body: { prices: 0 } });
});

test('a number that is not official has no costs', async () => {
  const scene = await officialScene(app, meta);
  const sandbox = await connectSandboxPhone(scene.customer, scene.project.id);
  const refused = await scene.api.refuse(getPhoneCosts, { params: { phoneId: sandbox.id }, query: {} });
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_an_official_number' } });
});

test('the list is given back as it can be put back, each price with its last day', async () => {
  const scene = await officialScene(app, meta);
  await replacePrices(scene, list);
  const { data } = (await scene.api.call(listMessagePrices, { query: { country: 'DE' } })).body;
  expect(data.map(({ price, valid_from: from, valid_until: until }) => [price, from, until])).toEqual([
    ['0.20', '2099-01-01', null],
    ['0.1131', '2026-01-01', '2098-12-31'],
  ]);
  expect((await scene.api.call(listMessagePrices, { query: { country: '*' } })).body.total).toBe(1);
  expect((await scene.api.call(listMessagePrices, { query: { page: 9 } })).body).toMatchObject({ data: [], total: 3 });
  const exported = await fetch(`${app.url}/api/message-prices/export`, {
    headers: { authorization: scene.customer.token },
  });
  expect(exported.headers.get('content-disposition')).toContain('message-prices.csv');
  const csv = await exported.text();
  expect(csv.split('\r\n')).toEqual([
    'country,category,currency,price,valid_from',
    '*,marketing,EUR,0.05,2026-01-01',
    'DE,marketing,EUR,0.1131,2026-01-01',
    'DE,marketing,EUR,0.20,2099-01-01',
    '',
  ]);
  expect(await replacePrices(scene, csv)).toEqual({ status: 200, body: { prices: 3 } });
});

test('lists that come at the same time take the place of each other, and one of them stays whole', async () => {
  const scene = await officialScene(app, meta);
  const lists = Array.from({ length: 8 }, (_, place) => `${list}PT,utility,EUR,0.0${place + 1},2026-01-01\n`);
  const answers = await Promise.all(lists.map((csv) => replacePrices(scene, csv)));
  expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
  expect((await scene.api.call(listMessagePrices, { query: {} })).body.total).toBe(4);
});
