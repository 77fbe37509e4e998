import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { undo } from '#tests/chaos/chaos-scene.ts';
import type { CleanUp } from '#tests/chaos/chaos-scene.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { audit, untilConnected } from './audit.ts';
import { heal, outages } from './outages.ts';
import type { SoakScene } from './soak-scene.ts';
import { makeSoakScene } from './soak-scene.ts';
import { startTraffic } from './traffic.ts';
import type { Traffic } from './traffic.ts';

/** `npm run soak` is the long way. */
const isLong = process.env['SOAK_MINUTES'] !== undefined;
const minutes = Number(process.env['SOAK_MINUTES'] ?? 0);
const phoneCount = Number(process.env['PHONES'] ?? (isLong ? 40 : 4));
const seed = Number(process.env['SEED'] ?? 20_261_122);
const settleTimeoutMs = isLong ? 300_000 : 60_000;
/** From then on memory keeps its level: until then caches fill. */
const warmMs = 5 * 60_000;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

test.runIf(isLong)(
  `${minutes} minutes with ${phoneCount} phones (SEED=${seed}): no link, no message is lost, none comes twice or out of order`,
  { timeout: minutes * 60_000 + settleTimeoutMs * 5 },
  async () => {
    const random = createRandom(seed);
    const scene = await makeSoakScene(cleanUp, phoneCount);
    await untilConnected(scene, settleTimeoutMs);
    const traffic = startTraffic(scene, random, 3_000);
    const memory = await storm(scene, random);
    await heal(scene);
    await traffic.stop();
    await untilConnected(scene, settleTimeoutMs);
    await audit(scene, traffic, settleTimeoutMs);
    console.log(await figuresOf(scene, traffic));
    expectLevel(memory);
  },
);

/** Events that are rare within a minute of the long run: each of these once, in an order that the seed gives. */
const shortDeck = [
  'many connections end at once',
  'messages break the connection',
  'questions about keys fail',
  'the product is killed',
] as const;

test.runIf(!isLong)(
  `a few outages with ${phoneCount} phones (SEED=${seed}): no link, no message is lost, none comes twice or out of order`,
  { timeout: 180_000 },
  async () => {
    const random = createRandom(seed);
    const scene = await makeSoakScene(cleanUp, phoneCount);
    await untilConnected(scene, settleTimeoutMs);
    const traffic = startTraffic(scene, random, 300);
    for (const name of shortDeck.toSorted(() => random.below(3) - 1)) {
      await outages[name]?.(scene, random);
      await delay(500);
    }
    await heal(scene);
    await traffic.stop();
    await untilConnected(scene, settleTimeoutMs);
    await audit(scene, traffic, settleTimeoutMs);
  },
);

type Sample = { atMs: number; memoryMiB: number };

/** Outages one after the other, each kind once before any comes again. Answers the memory over time. */
async function storm(scene: SoakScene, random: Random): Promise<Sample[]> {
  const kinds = Object.entries(outages);
  const samples: Sample[] = [];
  const startsAt = performance.now();
  const endsAt = startsAt + minutes * 60_000;
  let deck: typeof kinds = [];
  while (performance.now() < endsAt) {
    if (deck.length === 0) deck = [...kinds];
    const [drawn] = deck.splice(random.below(deck.length), 1);
    if (!drawn) continue;
    console.log(`${((endsAt - performance.now()) / 60_000).toFixed(1)} min left: ${drawn[0]}`);
    await drawn[1](scene, random);
    await delay(1_000 + random.below(4_000));
    samples.push({ atMs: performance.now() - startsAt, memoryMiB: await scene.product().memoryMiB() });
  }
  return samples;
}

async function figuresOf({ control }: SoakScene, { sent, written, fromHandset }: Traffic) {
  const count = (lists: ReadonlyMap<string, readonly unknown[]>) =>
    [...lists.values()].reduce((sum, list) => sum + list.length, 0);
  const { undecryptable, lastProblem, logins, askedAgain, refusedUpgrades } = await control.stats();
  const network = { undecryptable, lastProblem, logins, askedAgain, refusedUpgrades };
  return { sent: count(sent), received: count(written), fromHandset: count(fromHandset), ...network };
}

/** After the first five minutes, the later half is not above the earlier one. */
function expectLevel(samples: readonly Sample[]): void {
  const warm = samples.filter(({ atMs }) => atMs >= Math.min(warmMs, (minutes * 60_000) / 3));
  const middle = Math.floor(warm.length / 2);
  const [earlier, later] = [warm.slice(0, middle), warm.slice(middle)].map((part) =>
    Math.max(...part.map(({ memoryMiB }) => memoryMiB)),
  );
  console.log(`memory, highest of the earlier and of the later half: ${earlier}, ${later} MiB`);
  expect(later).toBeLessThan((earlier ?? 0) * 1.2 + 20);
}
