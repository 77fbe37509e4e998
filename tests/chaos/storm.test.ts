import { afterEach, expect, test } from 'vitest';
import { audit as auditSoak, untilConnected } from '#tests/soak/audit.ts';
import { makeSoakCell } from '#tests/soak/citus-cell.ts';
import { startTraffic } from '#tests/soak/traffic.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { audit, untilSettled } from './storm/audit.ts';
import { untilAllReady } from './storm/cluster.ts';
import { steps } from './storm/steps.ts';
import type { Step } from './storm/step.ts';
import { makeStormScene } from './storm/storm-scene.ts';
import type { StormScene } from './storm/storm-scene.ts';
import { keepBusy } from './storm/work-under-way.ts';
import type { WorkUnderWay } from './storm/work-under-way.ts';

/** `npm run chaos -- storm` is the long way; without it, among the other tests, a short one runs. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
/** The coordinator of a Citus on this machine: the long way goes over a cell there, beside another one. */
const citusUrl = isLong ? process.env['CITUS_URL'] : undefined;
/** A few from each side; what takes as long as a lease, or is a matter of time, is for the long way. */
const shortSteps: readonly string[] = [
  'a worker is killed',
  'PostgreSQL is killed',
  'a receipt holds a NUL',
  'a text holds what cannot be stored',
];
const size = isLong
  ? { workerCount: Number(process.env['WORKERS'] ?? 3), profileCount: 300, recordCount: 20_000 }
  : { workerCount: 2, profileCount: 30, recordCount: 100 };
const stepCount = Number(process.env['STEPS'] ?? (isLong ? 200 : shortSteps.length));
const seed = Number(process.env['SEED'] ?? 20_261_122);
/** No further step begins after so long. */
const minutes = Number(process.env['MINUTES'] ?? Infinity);
const only = process.env['ONLY'];

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

/** Every kind comes once before any comes again. */
function draw({ cluster }: StormScene, random: Random): [string, Step][] {
  const drawn: [string, Step][] = [];
  const kinds = Object.entries(steps).filter(
    ([name, { isPossible }]) =>
      (isPossible?.(cluster) ?? true) &&
      (only ? only.split(',').some((part) => name.includes(part)) : isLong || shortSteps.includes(name)),
  );
  while (drawn.length < stepCount) {
    const deck = [...kinds];
    // The short one keeps their order: it begins with what takes longest to come right again.
    while (deck.length > 0) drawn.push(...deck.splice(isLong ? random.below(deck.length) : 0, 1));
  }
  return drawn.slice(0, stepCount);
}

const neighbourPhones = 2;
const neighbourTimeoutMs = 300_000;

/** A cell that shares the nodes and nothing else: nobody disturbs it. */
async function startNeighbour(url: string, random: Random) {
  const { scene } = await makeSoakCell(cleanUp, url, neighbourPhones);
  const traffic = startTraffic(scene, random, 500);
  return {
    async audit() {
      await traffic.stop();
      await untilConnected(scene, neighbourTimeoutMs);
      await auditSoak(scene, traffic, neighbourTimeoutMs);
    },
  };
}

/** A summary of recent events for finding the cause of a failure. */
async function latelyOf({ watch, locks, cluster }: StormScene): Promise<string> {
  const warnings = cluster.workers.flatMap(({ name, product }) => [`Warnings of ${name}:`, ...product.warnings()]);
  return ['Phones lately:', ...(await watch.lately()), 'Locks lately:', ...locks.lately(), ...warnings].join('\n');
}

async function takeStep(scene: StormScene, step: Step, random: Random): Promise<string> {
  const streams = Object.values(scene.streams);
  for (const stream of streams) stream.mayRefuse = step.touchesDatabase ?? false;
  const startedAt = performance.now();
  const { takeovers } = await scene.whatsApp.control.stats();
  const remark = await step.run(scene, random).catch(async (error: unknown) => {
    throw new Error(await latelyOf(scene), { cause: error });
  });
  await Promise.all(streams.map((stream) => stream.progress(10)));
  await untilAllReady(scene.cluster);
  for (const stream of streams) expect(stream.faults, await latelyOf(scene)).toEqual([]);
  // No phone is held by two: not by their leases, and not on the network.
  expect(await scene.watch.faults(), await latelyOf(scene)).toEqual([]);
  if (!step.leavesConnections) {
    expect((await scene.whatsApp.control.stats()).takeovers, await latelyOf(scene)).toBe(takeovers);
  }
  for (const { name, product } of scene.cluster.workers) expect(product.hasExited(), name).toBe(false);
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s${remark ? `; ${remark}` : ''}`;
}

test(
  `${stepCount} steps of a storm over ${size.workerCount} processes (SEED=${seed}): nothing is lost, and nothing comes twice`,
  async () => {
    const random = createRandom(seed);
    const scene = await makeStormScene(cleanUp, { seed, ...size, isLong, citusUrl });
    const neighbour = citusUrl === undefined ? undefined : await startNeighbour(citusUrl, random);
    const work: WorkUnderWay = { campaigns: [], flows: [] };
    const endsAt = performance.now() + minutes * 60_000;
    for (const [index, [name, step]] of draw(scene, random).entries()) {
      if (performance.now() > endsAt) break;
      await keepBusy(scene, work, { isLong });
      if (isLong) console.log(`${index + 1}. ${name} …`);
      const what = await takeStep(scene, step, random);
      if (isLong) console.log(`${index + 1}. ${name}: ${what}`);
    }
    await Promise.all(Object.values(scene.streams).map((stream) => stream.end()));
    await untilSettled(scene, work).catch(async (error: unknown) => {
      throw new Error(await latelyOf(scene), { cause: error });
    });
    const figures = await audit(scene, work);
    await neighbour?.audit();
    if (isLong) console.log(figures);
  },
  isLong ? 7_200_000 : 300_000,
);
