import { afterEach, expect, test } from 'vitest';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { insertProfiles, makeSegment } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { keptOutcomes, recountOutcomes } from '#tests/support/recount-outcomes.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInProcess } from '#tests/whatsapp/client.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { ChaosScene, CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';
import { linkPhone } from './link-phone.ts';

/** `npm run chaos -- campaign` is the long way. */
const kills = Number(process.env['CHAOS_ROUNDS'] ?? 3);
const seed = Number(process.env['SEED'] ?? 20_261_121);
const profileCount = kills > 3 ? 2_000 : 250;
const longestLifeMs = 1_500;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

type Scene = ChaosScene & { whatsApp: StandInProcess };

async function makeScene(): Promise<Scene> {
  const whatsApp = await startStandIn();
  cleanUp.push(whatsApp.stop);
  return { whatsApp, ...(await makeChaosScene(cleanUp, whatsApp.url)) };
}

/** Expects each contact's phone to show the text of each campaign once, under a single id. */
async function expectOneTextEach({ whatsApp, database }: Scene, campaigns: readonly Campaign[]): Promise<void> {
  const { rows } = await database.pool.query<{ phone: string; name: string }>('select phone, name from profiles');
  for (const { phone, name } of rows) {
    const { texts, arrivals } = await whatsApp.control.readContact(phone);
    expect({ phone, texts: texts.map(({ text }) => text), ids: new Set(arrivals.map(({ id }) => id)).size }).toEqual({
      phone,
      texts: campaigns.map(({ message }) => message.replace('{name}', name)),
      ids: campaigns.length,
    });
  }
  const { rows: stored } = await database.pool.query(
    `select count(*) as messages, count(distinct profile_id) as profiles, count(distinct network_id) as ids
       from messages where campaign_id is not null group by campaign_id`,
  );
  const each = { messages: rows.length, profiles: rows.length, ids: rows.length };
  expect(stored).toEqual(campaigns.map(() => each));
}

async function numbersOf({ database }: Scene, count: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ phone: string }>('select phone from profiles order by id limit $1', [
    count,
  ]);
  return rows.map(({ phone }) => phone);
}

/**
 * Expects the stored counts of delivered, read and answered messages to equal a recount from the messages, once all has
 * arrived.
 */
async function expectExactOutcomes({ database }: Scene, { replied }: { replied: number }): Promise<void> {
  const looks = async () => {
    const kept = await keptOutcomes(database.pool);
    return { kept, counted: await recountOutcomes(database.pool), replied: kept.at(-1)?.replied };
  };
  await expect.poll(async () => (await looks()).replied, { interval: 250 }).toBe(replied);
  const { kept, counted } = await looks();
  expect(kept).toEqual(counted);
  expect(kept.every(({ sent, delivered }) => sent === profileCount && delivered > 0)).toBe(true);
}

test(`kill -9 amid a campaign to ${profileCount}, ${kills} times (SEED=${seed}): each gets it exactly once`, async () => {
  const scene = await makeScene();
  const random = createRandom(seed);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  for (const number of ['5511900000100', '5511900000101']) {
    await linkPhone(scene.whatsApp.control, customer.api, { projectId: project.id, number });
  }
  await insertProfiles(scene.database.pool, customer.id, profileCount);
  const segment = await makeSegment(customer);
  const campaigns: Campaign[] = [];
  const answering = await numbersOf(scene, 5);
  // A single campaign has room for all kills, unless its last messages are settled at once.
  for (let killed = 0; killed < kills;) {
    const apiOf = ({ url }: Product) => createApiClient(url, { authorization: customer.token });
    const message = `Hello {name}, for the ${campaigns.length + 1}. time`;
    const body = { name: 'Chaos', project_id: project.id, segment_id: segment.id, message };
    const { body: campaign } = await apiOf(product).call(createCampaign, { body });
    campaigns.push(campaign);
    const read = async (living: Product) => {
      const { body: now } = await apiOf(living).call(getCampaign, { params: { campaignId: campaign.id } });
      expect(now.waiting_count + now.sent_count + now.failed_count + now.skipped_count).toBe(now.total_count);
      return now;
    };
    // A message still with a phone can be sent twice, too: the work is done when all are settled.
    const progress = async (living: Product) => {
      const { status, sent_count: sent } = await read(living);
      return status === 'completed' ? 1 : sent / profileCount;
    };
    const { start } = scene;
    const disturbed = await killOverAndOver({ product, start, random, kills: kills - killed, longestLifeMs, progress });
    product = disturbed.product;
    killed += disturbed.killed;
    await expect
      .poll(() => read(product), { timeout: 240_000, interval: 250 })
      .toMatchObject({ status: 'completed', total_count: profileCount, sent_count: profileCount });
  }
  await expectOneTextEach(scene, campaigns);
  for (const number of answering) {
    await scene.whatsApp.control.incoming({ from: number, to: '5511900000100', text: 'Yes, please' });
  }
  await expectExactOutcomes(scene, { replied: answering.length });
}, 1_800_000);
