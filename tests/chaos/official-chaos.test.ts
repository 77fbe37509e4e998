import { afterEach, expect, test } from 'vitest';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { syncWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import { CloudApiStandIn } from '#tests/cloud-api/stand-in.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { insertProfiles, makeSegment } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { addTemplate } from '#tests/support/connect-official.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';

/** `npm run chaos -- official` is the long way. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const kills = isLong ? 50 : 2;
const people = isLong ? 20_000 : 300;
const seed = Number(process.env['SEED'] ?? 20_261_125);
const longestLifeMs = isLong ? 8_000 : 1_500;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

test(`kill -9 amid ${people} templates, ${kills} times (SEED=${seed}): each goes once, or fails as unknown and is settled`, async () => {
  const meta = await CloudApiStandIn.listen();
  cleanUp.push(() => meta.close());
  Object.assign(meta.number, { perSecond: 1_000, limit: 'TIER_UNLIMITED' });
  // An answer takes a while, so that kills find messages under way.
  meta.faults.answerDelayMs = 30;
  const scene = await makeChaosScene(cleanUp, undefined, meta.settings);
  const random = createRandom(seed);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const apiOf = ({ url }: Product) => createApiClient(url, { authorization: customer.token });
  const { body: phone } = await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: {
      phone_number: meta.number.display,
      connector: 'cloud',
      cloud: meta.credentials,
      max_daily_messages: 1_000_000,
    },
  });
  const callBack = async ({ url }: Product) => {
    const callback = new URL(new URL(phone.cloud?.callback_url ?? '').pathname, url).href;
    expect(await meta.webhooks.configure(callback, phone.cloud?.verify_token ?? '')).toBe(true);
  };
  const start = async () => {
    const started = await scene.start();
    await callBack(started);
    return started;
  };
  await callBack(product);
  await customer.api.call(connectPhone, { params: { phoneId: phone.id } });
  const template = addTemplate(meta, { components: [{ type: 'BODY', text: 'Hello {{first_name}}, all bulbs.' }] });
  await customer.api.call(syncWhatsappTemplates, { body: {} });
  await insertProfiles(scene.database.pool, customer.id, people);
  const segment = await makeSegment(customer);
  const bound = { name: template.name, language: template.language, variables: { first_name: '{name|you}' } };
  const { body: campaign } = await customer.api.call(createCampaign, {
    body: { name: 'Chaos', project_id: project.id, segment_id: segment.id, template: bound },
  });
  const read = async (living: Product) => {
    const { body: now } = await apiOf(living).call(getCampaign, { params: { campaignId: campaign.id } });
    expect(now.waiting_count + now.sent_count + now.failed_count + now.skipped_count).toBe(now.total_count);
    return now;
  };
  const progress = async (living: Product) => {
    const { status, sent_count: sent, failed_count: failed } = await read(living);
    return status === 'completed' ? 1 : (sent + failed) / people;
  };
  const disturbed = await killOverAndOver({ product, start, random, kills, longestLifeMs, progress });
  product = disturbed.product;
  expect(disturbed.killed).toBeGreaterThan(0);
  await expect
    .poll(() => read(product), { timeout: 1_200_000, interval: 250 })
    .toMatchObject({ status: 'completed', waiting_count: 0 });
  const times = new Map<string, number>();
  for (const { to } of meta.sent) times.set(to, (times.get(to) ?? 0) + 1);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  // Whatever reached Meta is settled by its callback data; the others failed as unknown and stay so.
  const outcomes = async () => {
    const { rows } = await scene.database.pool.query<{ recipient: string; status: string; error_code: string | null }>(
      'select recipient, status, error_code from messages where campaign_id = $1 order by recipient',
      [campaign.id],
    );
    return rows.map(({ recipient, status, error_code: code }) => [recipient, code ?? status]);
  };
  const expected = (to: string) => (times.has(to) ? 'read' : 'delivery_unknown');
  const unsettled = async () =>
    (await outcomes()).flatMap(([to = '', outcome]) =>
      outcome === expected(to) ? [] : [`${to}: ${outcome}, not ${expected(to)}`],
    );
  await expect.poll(async () => (await unsettled()).slice(0, 20), { timeout: 600_000, interval: 1_000 }).toEqual([]);
  expect(await outcomes()).toHaveLength(people);
}, 3_600_000);
