import { setTimeout as delay } from 'node:timers/promises';
import { createCampaign, deleteCampaign } from '#contracts/campaigns.ts';
import { createFlow, deleteFlow } from '#contracts/flows.ts';
import { createProfile, upsertProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figures.ts';
import { median, percentile } from './measure.ts';

const samples = 30;
const scanningFlows = 50;
const largeSnapshots = 8;
const longestMs = 120_000;
const lookMs = 5;
const warmUpMs = 3_000;

type Stage = { bench: Bench; abuser: Customer; abusersProject: number; other: Customer; project: number };

/** The work that an account gives the workers, until the signal comes. */
type Abuse = {
  name: string;
  what: string;
  run(stage: Stage, signal: AbortSignal): Promise<void>;
  once(stage: Stage): Promise<number>;
};

/** How long another account's flow and its campaign to one person take beside one that has the workers do all it can. */
export async function benchBackground(
  bench: Bench,
  { url, abuser, abusersProject }: { url: string; abuser: Customer; abusersProject: number },
  isWanted: (name: string) => boolean,
): Promise<Figure[]> {
  const other = await signUpSubscriber(url);
  const { id: project } = await makeProject(other);
  await connectSandboxPhone(other, project, { max_daily_messages: 1_000_000 });
  const stage = { bench, abuser, abusersProject, other, project };
  await makeFlow(other, project, 'equals');
  const abuses: Abuse[] = [
    { name: 'flows', what: `flow, ${scanningFlows} flows scan`, run: scan, once: flowOnce },
    {
      name: 'campaigns',
      what: `campaign to one, ${largeSnapshots} large snapshots`,
      run: takeSnapshots,
      once: campaignOnce,
    },
  ];
  const figures: Figure[] = [];
  for (const { what, run, once } of abuses.filter(({ name }) => isWanted(name))) {
    await once(stage);
    const quiet = await measure(stage, once);
    const stop = new AbortController();
    const attack = run(stage, stop.signal);
    await delay(warmUpMs);
    const loud = await measure(stage, once);
    stop.abort();
    await attack;
    figures.push({
      what: `another account's ${what}`,
      product: `${loud.median.toFixed(0)} ms, p99 ${loud.p99.toFixed(0)} ms`,
      baseline: `quiet ${quiet.median.toFixed(0)} ms, p99 ${quiet.p99.toFixed(0)} ms`,
      ratio: `${(loud.median / quiet.median).toFixed(2)}, p99 ${(loud.p99 / quiet.p99).toFixed(2)}`,
      atLeast: 'at most 2, p99 3',
    });
  }
  return figures;
}

async function measure(stage: Stage, once: Abuse['once']): Promise<{ median: number; p99: number }> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) times.push(await once(stage));
  return { median: median(times), p99: percentile(times, 0.99) };
}

async function makeFlow({ api }: Customer, projectId: number, operator: 'equals' | 'not_equals'): Promise<number> {
  const { body } = await api.call(createFlow, {
    body: {
      name: 'Bench',
      conditions: [{ fieldPath: 'name', operator, value: 'Bench' }],
      action: { projectId, message: 'Hello' },
    },
  });
  return body.id;
}

async function untilSent({ bench, other }: Stage, recipient: string): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < longestMs) {
    const { rowCount } = await bench.database.query(
      `select from messages where account_id = $1 and recipient = $2 and sent_at is not null`,
      [other.id, recipient],
    );
    if (rowCount !== 0) return performance.now() - from;
    await delay(lookMs);
  }
  throw new Error(`Nothing was sent to ${recipient}`);
}

let nextPhone = 14_155_561_002;
function takePhone(): string {
  nextPhone += 1;
  // The sandbox does something else for some last digits.
  if (nextPhone % 10_000 > 8_000) nextPhone += 10_000 - (nextPhone % 10_000) + 1_002;
  return String(nextPhone);
}

/** From a profile that comes to match to its message on the network. */
async function flowOnce(stage: Stage): Promise<number> {
  const phone = takePhone();
  await stage.other.api.call(createProfile, { body: { phone, name: 'Bench' } });
  return untilSent(stage, phone);
}

/** From the request to the message on the network. */
async function campaignOnce(stage: Stage): Promise<number> {
  const { api } = stage.other;
  const [phone, name] = [takePhone(), `Person ${nextPhone}`];
  await api.call(createProfile, { body: { phone, name } });
  const condition = { fieldPath: 'name', operator: 'equals', value: name } as const;
  const { body: segment } = await api.call(createSegment, { body: { name, condition } });
  const body = { name, project_id: stage.project, segment_id: segment.id, message: 'Hello' };
  await api.call(createCampaign, { body });
  return untilSent(stage, phone);
}

/** The profiles change all the time, so that the flows search as often as they may. */
async function scan({ abuser, abusersProject }: Stage, signal: AbortSignal): Promise<void> {
  const flows: number[] = [];
  for (let flow = 0; flow < scanningFlows; flow += 1) flows.push(await makeFlow(abuser, abusersProject, 'not_equals'));
  for (let change = 0; !signal.aborted; change += 1) {
    const body = { phone: '14150000000', custom_fields: { change } };
    await abuser.api.call(upsertProfile, { body });
    await delay(100);
  }
  for (const flowId of flows) await abuser.api.call(deleteFlow, { params: { flowId } });
}

async function takeSnapshots({ abuser, abusersProject, bench }: Stage, signal: AbortSignal): Promise<void> {
  const condition = { fieldPath: 'phone', operator: 'exists', value: '' } as const;
  const { body: segment } = await abuser.api.call(createSegment, { body: { name: 'All', condition } });
  const body = { name: 'Large', project_id: abusersProject, segment_id: segment.id, message: 'Hello' };
  const takeOne = async () => {
    while (!signal.aborted) {
      const { id } = (await abuser.api.call(createCampaign, { body })).body;
      while (!signal.aborted) {
        const { rows } = await bench.database.query<{ status: string }>('select status from campaigns where id = $1', [
          id,
        ]);
        if (rows[0]?.status !== 'creating') break;
        await delay(50);
      }
      await abuser.api.call(deleteCampaign, { params: { campaignId: id } });
    }
  };
  await Promise.all(Array.from({ length: largeSnapshots }, takeOne));
}
