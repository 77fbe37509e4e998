import { beforeEach, expect, test, vi } from 'vitest';
import { createCampaign, getCampaign, listRecipients, previewCampaign } from '#contracts/campaigns.ts';
import { getMessage } from '#contracts/messages.ts';
import { getPhoneNumber } from '#contracts/phone-numbers.ts';
import type { StandInTemplate } from './cloud-api/account.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { addTemplate, filled } from './support/connect-official.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

beforeEach(() => {
  meta.fates.clear();
  meta.refusals.clear();
});

const bodyOf = ({ name, language }: StandInTemplate) => ({
  name,
  language,
  variables: { first_name: '{name|there}', order: 'S-1' },
});
const phoneOf = async ({ api, phone }: OfficialScene) =>
  (await api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body;
const stateOf = async ({ api }: OfficialScene, messageId: number) =>
  (await api.call(getMessage, { params: { messageId } })).body;
const campaignOf = async ({ api }: OfficialScene, campaignId: number) =>
  (await api.call(getCampaign, { params: { campaignId } })).body;

test("the portfolio's limit of people in 24 hours holds a campaign back and refuses a direct start, and says so", async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  meta.tell('business_capability_update', { max_daily_conversations_per_business: 3 });
  await vi.waitFor(async () => expect((await phoneOf(scene)).cloud?.facts?.people_per_day).toBe(3), patience);
  const people = Array.from({ length: 5 }, (_, index) => ({ name: `Person ${index}` }));
  const segmentId = await scene.segment(people, 4915120001000);
  const body = { name: 'A', project_id: scene.project.id, segment_id: segmentId, template: bodyOf(template) };
  const { body: review } = await scene.api.call(previewCampaign, {
    body: { segment_id: segmentId, project_id: scene.project.id, template: bodyOf(template) },
  });
  expect(review.forecast?.days.map(({ count }) => count)).toEqual([3, 2]);
  const { body: campaign } = await scene.api.call(createCampaign, { body });
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, campaign.id)).toMatchObject({
        sent_count: 3,
        waiting_count: 2,
        waiting_for: 'portfolio_limit',
        waiting_until: expect.any(String) as string,
      }),
    patience,
  );
  const { waiting_until: until } = await campaignOf(scene, campaign.id);
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(23 * 60 * 60_000);
  expect(await phoneOf(scene)).toMatchObject({ waiting_for: 'portfolio_limit', cloud: { people_begun: 3 } });
  const refused = await scene.send({ to: '+4915120001099', ...filled(template) });
  expect(refused).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
  expect((await scene.send({ to: '+4915120001000', ...filled(template) })).status).toBe(200);
  meta.receiveText('4915120001099', 'Hello');
  await vi.waitFor(
    async () => expect((await scene.send({ to: '+4915120001099', ...filled(template) })).status).toBe(200),
    patience,
  );
  meta.tell('business_capability_update', { max_daily_conversations_per_business: 'TIER_2K' });
  await vi.waitFor(
    async () => expect(await campaignOf(scene, campaign.id)).toMatchObject({ status: 'completed', sent_count: 5 }),
    patience,
  );
  expect(await phoneOf(scene)).toMatchObject({ waiting_for: null });
});

test('a restriction of the account stops what it says, until it says that it is over', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  meta.receiveText('4915120002001', 'Hello');
  await vi.waitFor(
    async () => expect((await scene.send({ to: '+4915120002001', message: 'Hi' })).status).toBe(200),
    patience,
  );
  const expiration = Math.floor(Date.now() / 1000) + 86_400;
  meta.tell('account_update', {
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }],
  });
  await vi.waitFor(
    async () =>
      expect(await phoneOf(scene)).toMatchObject({
        waiting_for: 'phone_restricted',
        waiting_until: new Date(expiration * 1000).toISOString(),
        cloud: { holds: [{ scope: 'begin', until: new Date(expiration * 1000).toISOString() }] },
      }),
    patience,
  );
  expect(await scene.send({ to: '+4915120002002', ...filled(template) })).toMatchObject({
    status: 409,
    body: { code: 'phones_limited' },
  });
  expect((await scene.send({ to: '+4915120002001', message: 'Still here' })).status).toBe(200);
  meta.tell('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: [] });
  await vi.waitFor(async () => expect(await phoneOf(scene)).toMatchObject({ waiting_for: null }), patience);
  meta.tell('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } });
  await vi.waitFor(
    async () => expect(await phoneOf(scene)).toMatchObject({ waiting_for: 'phone_restricted', waiting_until: null }),
    patience,
  );
  expect(await scene.send({ to: '+4915120002001', message: 'Gone' })).toMatchObject({
    status: 409,
    body: { code: 'phones_limited' },
  });
  const segmentId = await scene.segment([{ name: 'Ana' }], 4915120002100);
  const body = { name: 'A', project_id: scene.project.id, segment_id: segmentId, template: bodyOf(template) };
  const { body: campaign } = await scene.api.call(createCampaign, { body });
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, campaign.id)).toMatchObject({
        waiting_for: 'phone_restricted',
        waiting_until: null,
      }),
    patience,
  );
  meta.tell('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } });
  await vi.waitFor(
    async () => expect(await campaignOf(scene, campaign.id)).toMatchObject({ status: 'completed', sent_count: 1 }),
    patience,
  );
});

test('marketing that Meta capped for a person is not tried again within 24 hours', async () => {
  const scene = await officialScene(app, meta);
  const marketing = addTemplate(meta, { category: 'MARKETING' });
  const utility = addTemplate(meta);
  await scene.sync();
  const to = '4915120003000';
  meta.fates.set(to, 131049);
  const { body } = await scene.send({ to: `+${to}`, ...filled(marketing) });
  await vi.waitFor(
    async () =>
      expect(await stateOf(scene, body.id)).toMatchObject({ status: 'failed', error_code: 'marketing_capped' }),
    patience,
  );
  const sent = meta.sent.length;
  expect(await scene.send({ to: `+${to}`, ...filled(marketing) })).toMatchObject({
    status: 409,
    body: { code: 'marketing_capped' },
  });
  const segmentId = await scene.segment([{ name: 'Ana' }, { name: 'Ben' }], Number(to));
  const { body: campaign } = await scene.api.call(createCampaign, {
    body: { name: 'A', project_id: scene.project.id, segment_id: segmentId, template: bodyOf(marketing) },
  });
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, campaign.id)).toMatchObject({
        status: 'completed',
        sent_count: 1,
        skipped_count: 1,
      }),
    patience,
  );
  const entries = await scene.api.call(listRecipients, { params: { campaignId: campaign.id }, query: {} });
  expect(entries.body.data.map((entry) => entry.error_code)).toEqual(['marketing_capped', null]);
  expect(meta.sent.length).toBe(sent + 1);
  meta.fates.clear();
  expect((await scene.send({ to: `+${to}`, ...filled(utility) })).status).toBe(200);
});

test('a template that is paused after a message was accepted holds it back, and nothing else', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  const other = addTemplate(meta);
  await scene.sync();
  const to = '4915120004000';
  const sendAt = new Date(Date.now() + 3_000).toISOString();
  const { body } = await scene.send({ to: `+${to}`, ...filled(template), send_at: sendAt });
  const about = { message_template_id: Number(template.id), message_template_name: template.name };
  template.status = 'PAUSED';
  meta.tell('message_template_status_update', { ...about, event: 'PAUSED', reason: 'NONE' });
  await vi.waitFor(async () => expect((await stateOf(scene, body.id)).status).toBe('pending'), patience);
  expect((await scene.send({ to: `+${to}`, ...filled(other) })).status).toBe(200);
  expect(await stateOf(scene, body.id)).toMatchObject({ status: 'pending' });
  template.status = 'APPROVED';
  meta.tell('message_template_status_update', { ...about, event: 'APPROVED' });
  await vi.waitFor(async () => expect((await stateOf(scene, body.id)).status).toBe('read'), patience);
});

test('a number that Meta says sends too much is held back for some time, and says why', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  meta.refusals.set('4915120005000', 131048);
  const { status } = await scene.send({ to: '+4915120005000', ...filled(template) });
  expect(status).toBe(202);
  await vi.waitFor(
    async () =>
      expect(await phoneOf(scene)).toMatchObject({
        waiting_for: 'phone_restricted',
        waiting_until: expect.any(String) as string,
      }),
    patience,
  );
});

test('an unknown code fails its message alone; the same for five people in a row stops the number', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  for (let index = 0; index < 5; index += 1) {
    const to = `491512000600${index}`;
    meta.refusals.set(to, 999_999);
    const { status, body } = await scene.send({ to: `+${to}`, ...filled(template) });
    expect([status, body.code]).toEqual([502, 'network_refused']);
    if (index < 4) expect(await phoneOf(scene)).toMatchObject({ status: 'connected' });
  }
  await vi.waitFor(
    async () =>
      expect(await phoneOf(scene)).toMatchObject({
        status: 'auth_failed',
        error: expect.stringContaining('999999') as string,
      }),
    patience,
  );
});
