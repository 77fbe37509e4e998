import { setTimeout as delay } from 'node:timers/promises';
import { deleteCampaign, listRecipients, pauseCampaign } from '#contracts/campaigns.ts';
import type { Campaign, RecipientStatus } from '#contracts/campaigns.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { alone, figure, measurePairs } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { median } from './measure.ts';
import { makeMillionProfiles, profileCount } from './million-profiles.ts';
import {
  hundredThousand,
  leaveSegmentsAlone,
  makeCampaign,
  makeSegment,
  takeSnapshot,
  untilRunning,
} from './snapshot.ts';
import type { Stage } from './snapshot.ts';

const rounds = 3;
const feedingSeconds = 20;

/**
 * Over a million profiles: a snapshot of 100,000 of them, and a campaign to all of them under way; `campaigns:snapshot`
 * is the former alone.
 */
export async function benchCampaigns(bench: Bench, only: readonly string[]): Promise<Figure[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const stage = { database: bench.database, product, customer, projectId: project.id };
  await makeMillionProfiles(bench.database, customer.id);
  const snapshot = await benchSnapshot(stage);
  return only.includes('snapshot') ? snapshot : [...snapshot, ...(await benchFeeding(stage))];
}

const million = { fieldPath: 'phone', operator: 'exists', value: '' } as const;

/** The raw statement is as one would write it by hand: the index answers it, and nobody is looked up on a list. */
async function benchSnapshot(stage: Stage): Promise<Figure[]> {
  const { database, product, customer } = stage;
  const people = profileCount / 10;
  await leaveSegmentsAlone(stage);
  await database.query('create table bench_ledger (like campaign_recipients including all)');
  const cpuPairs: Pair[] = [];
  const pairs = await measurePairs(rounds, async (): Promise<Pair> => {
    await database.query('truncate bench_ledger');
    await database.query('checkpoint');
    const cpuBefore = await cpuTimeMs(product.pid, database);
    const beforeRaw = performance.now();
    await database.query(
      `insert into bench_ledger (account_id, campaign_id, profile_id, phone, status)
       select account_id, 1, id, phone, 'waiting' from profiles
        where account_id = $1 and custom_fields @> '{"installed": true}'`,
      [customer.id],
    );
    const rawSeconds = (performance.now() - beforeRaw) / 1000;
    const rawCpuSeconds = ((await cpuTimeMs(product.pid, database)) - cpuBefore) / 1000;
    await database.query('checkpoint');
    const { seconds, cpuSeconds } = await takeSnapshot(stage);
    cpuPairs.push({ product: people / cpuSeconds, baseline: people / rawCpuSeconds });
    // The vacuum of the deleted rows is not to fall into the next statement's time.
    await database.query('vacuum campaign_recipients');
    return { product: people / seconds, baseline: people / rawSeconds };
  });
  const what = `campaign of ${people}: snapshot, against the raw INSERT … SELECT`;
  return [figure(`${what}, time`, pairs, '0.7'), figure(`${what}, CPU`, cpuPairs.slice(1), '0.7')];
}

type Sample = { memoryMiB: number; outbox: number; sent: number };

async function sample({ database, product }: Stage, { id }: Campaign): Promise<Sample> {
  const { rows } = await database.query<{ outbox: number; sent: number }>(
    `select (select count(*) from messages where status in ('pending', 'sending')) as outbox,
            (select count(*) from campaign_recipients where campaign_id = $1 and status = 'sent') as sent`,
    [id],
  );
  return { memoryMiB: await product.memoryMiB(), outbox: rows[0]?.outbox ?? 0, sent: rows[0]?.sent ?? 0 };
}

/** The process and its outbox once the campaign runs at a steady pace, and its sending rate. */
type Feeding = { memoryMiB: number; outbox: number; largestOutbox: number; rate: number };

async function measureFeeding(stage: Stage, campaign: Campaign): Promise<Feeding> {
  const before = await sample(stage, campaign);
  const from = performance.now();
  const samples: Sample[] = [];
  while (performance.now() - from < feedingSeconds * 1000) {
    await delay(500);
    samples.push(await sample(stage, campaign));
  }
  const after = await sample(stage, campaign);
  const later = samples.slice(samples.length / 2);
  return {
    memoryMiB: median(later.map(({ memoryMiB }) => memoryMiB)),
    outbox: median(later.map(({ outbox }) => outbox)),
    largestOutbox: Math.max(...samples.map(({ outbox }) => outbox)),
    rate: (after.sent - before.sent) / ((performance.now() - from) / 1000),
  };
}

/**
 * The same phones are fed from a ledger of a hundred thousand and from one of a million: what grew with those who wait
 * would be ten times as large. A campaign of another hundred thousand comes first, to warm
 * the process up.
 */
async function benchFeeding(stage: Stage): Promise<Figure[]> {
  const first = await makeCampaign(stage, await makeSegment(stage, hundredThousand));
  await untilRunning(stage, first);
  for (let phone = 0; phone < 2; phone += 1) {
    await connectSandboxPhone(stage.customer, stage.projectId, { max_daily_messages: 1_000_000 });
  }
  await measureFeeding(stage, first);
  await remove(stage, first);
  const few = await makeCampaign(stage, await makeSegment(stage, hundredThousand));
  await untilRunning(stage, few);
  const ofFew = await measureFeeding(stage, few);
  await remove(stage, few);
  const beforeMiB = await stage.product.memoryMiB();
  const segment = await makeSegment(stage, million);
  const started = performance.now();
  const campaign = await makeCampaign(stage, segment);
  await untilRunning(stage, campaign);
  const snapshotSeconds = (performance.now() - started) / 1000;
  const takenDownMiB = await stage.product.memoryMiB();
  const ofMillion = await measureFeeding(stage, campaign);
  await stage.customer.api.call(pauseCampaign, { params: { campaignId: campaign.id } });
  const pages = await benchPages(stage, campaign);
  const removalSeconds = await remove(stage, campaign);
  return [
    alone('campaign of 1,000,000: snapshot', `${snapshotSeconds.toFixed(1)} s`, '-'),
    ...pages,
    alone('campaign of 1,000,000: deleted', `${removalSeconds.toFixed(1)} s`, '-'),
    besideFew(
      '1,000,000 wait, two sandbox phones, beside 100,000: sent/s',
      { product: ofMillion.rate, baseline: ofFew.rate },
      '-',
    ),
    alone(
      'messages in the outbox meanwhile',
      `${ofMillion.outbox}, at most ${ofMillion.largestOutbox}`,
      'flat',
      `${ofFew.outbox}, at most ${ofFew.largestOutbox}`,
    ),
    besideFew(
      'memory of the process meanwhile, MiB',
      { product: ofMillion.memoryMiB, baseline: ofFew.memoryMiB },
      'at most 1.15',
    ),
    alone(
      'memory of the process, MiB, with 1,000,000 taken down',
      `${Math.round(takenDownMiB)}`,
      'flat',
      `${Math.round(beforeMiB)} before`,
    ),
  ];
}

const besideFew = (what: string, { product, baseline }: Pair, atLeast: string): Figure => ({
  what,
  product: String(Math.round(product)),
  baseline: String(Math.round(baseline)),
  ratio: (product / baseline).toFixed(2),
  atLeast,
});

async function remove({ customer }: Stage, { id }: Campaign): Promise<number> {
  const from = performance.now();
  await customer.api.call(deleteCampaign, { params: { campaignId: id } });
  return (performance.now() - from) / 1000;
}

async function benchPages({ customer }: Stage, campaign: Campaign): Promise<Figure[]> {
  const measure = async (what: string, query: { page: number; status?: RecipientStatus }) => {
    const times: number[] = [];
    for (let repetition = 0; repetition < 5; repetition += 1) {
      const before = performance.now();
      await customer.api.call(listRecipients, {
        params: { campaignId: campaign.id },
        query: { pageSize: 50, ...query },
      });
      times.push(performance.now() - before);
    }
    return alone(`recipients of 1,000,000, ${what}`, `${median(times).toFixed(1)} ms`, '-');
  };
  return [
    await measure('first page', { page: 1 }),
    await measure('who waits, first page', { page: 1, status: 'waiting' }),
    await measure('who was sent to, first page', { page: 1, status: 'sent' }),
    await measure('last page', { page: 20_000 }),
  ];
}
