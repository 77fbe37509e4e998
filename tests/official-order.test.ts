import { expect, test, vi } from 'vitest';
import { getPhoneNumber, listPhoneNotices } from '#contracts/phone-numbers.ts';
import { listWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { addTemplate } from './support/connect-official.ts';
import { setUpOfficial } from './support/official-application.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

const phoneOf = async ({ api, phone }: OfficialScene) =>
  (await api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body;

const noticesOf = async ({ api, phone }: OfficialScene) =>
  (await api.call(listPhoneNotices, { params: { phoneId: phone.id }, query: {} })).body.data;

const templateOf = async ({ api }: OfficialScene, name: string) =>
  (await api.call(listWhatsappTemplates, { query: {} })).body.data.find((one) => one.name === name);

const untilWorkedOff = () =>
  vi.waitFor(async () => {
    await meta.webhooks.settled();
    const { rows } = await app.ctx.pool.query('select 1 from cloud_webhooks');
    expect(rows).toEqual([]);
  }, patience);

const ban = (waba_ban_state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } });
const restriction = (...types: string[]) => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: types.map((restriction_type) => ({ restriction_type })),
});

test('an older word of Meta that comes late changes nothing that a later one said', async () => {
  const scene = await officialScene(app, meta);
  meta.tell('account_update', ban('REINSTATE'));
  meta.tell('business_capability_update', { max_daily_conversations_per_business: 'TIER_10K' });
  await untilWorkedOff();
  meta.tell('account_update', ban('DISABLE'), { secondsAgo: 60 });
  meta.tell('business_capability_update', { max_daily_conversations_per_business: 'TIER_250' }, { secondsAgo: 60 });
  meta.tell('account_update', restriction('RESTRICTED_BIZ_INITIATED_MESSAGING'), { secondsAgo: 50 });
  await untilWorkedOff();
  expect(await phoneOf(scene)).toMatchObject({
    cloud: { holds: [{ scope: 'begin' }], facts: { people_per_day: 10_000 } },
  });
  meta.tell('account_update', ban('DISABLE'), { secondsAgo: -5 });
  await untilWorkedOff();
  expect((await phoneOf(scene)).cloud?.holds.map(({ scope }) => scope)).toEqual(['begin', 'all']);
  expect((await noticesOf(scene)).map(({ tag }) => tag)).toEqual([
    'DISABLE',
    'TIER_10K',
    'REINSTATE',
    'ACCOUNT_RESTRICTION',
    'TIER_250',
    'DISABLE',
  ]);
});

test('a pause of a template that comes after its end has the template read anew', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  const about = {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
  };
  const event = (name: string, secondsAgo: number) =>
    meta.tell('message_template_status_update', { ...about, event: name, reason: 'NONE' }, { secondsAgo });
  event('PAUSED', 3_600);
  await untilWorkedOff();
  await expect.poll(async () => (await templateOf(scene, template.name))?.status).toBe('approved');
  template.status = 'PAUSED';
  event('PAUSED', -5);
  await expect.poll(async () => (await templateOf(scene, template.name))?.status).toBe('paused');
});

test('the quality of a number is as Meta said last', async () => {
  const scene = await officialScene(app, meta);
  const about = { display_phone_number: `+${meta.number.display}`, current_limit: 'TIER_2K' };
  meta.tell('phone_number_quality_update', { ...about, event: 'FLAGGED' });
  await untilWorkedOff();
  meta.tell('phone_number_quality_update', { ...about, event: 'UNFLAGGED' }, { secondsAgo: 60 });
  await untilWorkedOff();
  expect((await phoneOf(scene)).cloud?.facts).toMatchObject({ quality: 'low', people_per_day: 2_000 });
});

test('the same word a second time is another notice, and a repeated webhook is none', async () => {
  const scene = await officialScene(app, meta);
  const about = { message_template_name: 'winter', message_template_language: 'en_US' };
  for (const [index, event] of ['PAUSED', 'APPROVED', 'PAUSED', 'PAUSED'].entries())
    meta.tell('message_template_status_update', { ...about, event }, { secondsAgo: [90, 60, 30, 30][index]! });
  await untilWorkedOff();
  expect((await noticesOf(scene)).map(({ tag }) => tag)).toEqual(['PAUSED', 'APPROVED', 'PAUSED']);
});
