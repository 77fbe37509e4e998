import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { undo } from '#tests/chaos/chaos-scene.ts';
import type { CleanUp } from '#tests/chaos/chaos-scene.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { heal, outages } from './outages.ts';
import type { SoakScene } from './soak-scene.ts';
import { makeSoakScene } from './soak-scene.ts';
import { startTraffic } from './traffic.ts';
import type { Traffic } from './traffic.ts';

/** `npm run soak` is the long way. */
const isLong = process.env['SOAK_MINUTES'] !== undefined;
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const phoneCount = Number(process.env['PHONES'] ?? 40);
const seed = Number(process.env['SEED'] ?? 20_261_122);
const settleTimeoutMs = 300_000;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp), 60_000);

test.runIf(isLong)(
  `${minutes} minutes with ${phoneCount} phones (SEED=${seed}): no link, no message is lost, none comes twice or out of order`,
  async () => {
    const random = createRandom(seed);
    const scene = await makeSoakScene(cleanUp, phoneCount);
    await untilConnected(scene);
    const traffic = startTraffic(scene, random, 3_000);
    const memory = await storm(scene, random);
    await heal(scene);
    await traffic.stop();
    await untilConnected(scene);
    await audit(scene, traffic);
    expectLevel(memory);
  },
  minutes * 60_000 + settleTimeoutMs * 5,
);

/** Outages one after the other, each kind once before any comes again. Answers the memory over time, MiB. */
async function storm(scene: SoakScene, random: Random): Promise<number[]> {
  const kinds = Object.entries(outages);
  const memory: number[] = [];
  const endsAt = performance.now() + minutes * 60_000;
  let deck: typeof kinds = [];
  while (performance.now() < endsAt) {
    if (deck.length === 0) deck = [...kinds];
    const [drawn] = deck.splice(random.below(deck.length), 1);
    if (!drawn) continue;
    console.log(`${((endsAt - performance.now()) / 60_000).toFixed(1)} min left: ${drawn[0]}`);
    await drawn[1](scene, random);
    await delay(1_000 + random.below(4_000));
    memory.push(await scene.product().memoryMiB());
  }
  return memory;
}

async function query<Row extends object>({ database }: SoakScene, text: string): Promise<Row[]> {
  const pool = new Pool({ connectionString: database.connectionString, max: 1 });
  try {
    return (await pool.query<Row>(text)).rows;
  } finally {
    await pool.end();
  }
}

/** By themselves: nobody scans a second code. */
async function untilConnected(scene: SoakScene): Promise<void> {
  const away = () => query(scene, `select number, status, error from phones where status <> 'connected'`);
  await expect.poll(away, { timeout: settleTimeoutMs, interval: 1_000 }).toEqual([]);
}

async function audit(scene: SoakScene, { sent, written }: Traffic): Promise<void> {
  const waiting = () =>
    query(scene, `select id, status, error, attempts from messages where status in ('pending', 'sending')`);
  await expect.poll(waiting, { timeout: settleTimeoutMs, interval: 1_000 }).toEqual([]);
  expect(await query(scene, `select id, error from messages where status = 'failed'`)).toEqual([]);
  for (const [contact, texts] of sent) {
    const shown = async () => {
      const { texts: all, undecryptable } = await scene.control.readContact(contact);
      return { contact, texts: all.map(({ text }) => text), ...(all.length < texts.length && { undecryptable }) };
    };
    // What could not be decrypted is asked for again.
    await expect.poll(shown, { timeout: settleTimeoutMs, interval: 1_000 }).toEqual({ contact, texts });
    const { arrivals } = await scene.control.readContact(contact);
    expect(new Set(arrivals.map(({ id }) => id)).size).toBe(texts.length);
  }
  const received = async () => {
    const rows = await query<{ sender: string; body: string }>(
      scene,
      `select sender, body from messages where direction = 'incoming' and coalesce(type, 'text') = 'text' order by id`,
    );
    const bySender = Map.groupBy(rows, ({ sender }) => sender);
    return Object.fromEntries([...bySender].map(([sender, own]) => [sender, own.map(({ body }) => body).toSorted()]));
  };
  const expected = Object.fromEntries([...written].map(([sender, texts]) => [sender, texts.toSorted()]));
  await expect.poll(received, { timeout: settleTimeoutMs, interval: 1_000 }).toEqual(expected);
}

/** The last third is not above the one before it; the first has caches to fill. */
function expectLevel(memory: readonly number[]): void {
  const third = Math.floor(memory.length / 3);
  const [middle, last] = [memory.slice(third, 2 * third), memory.slice(2 * third)].map((part) => Math.max(...part));
  console.log(`memory, highest of each third: ${Math.max(...memory.slice(0, third))}, ${middle}, ${last} MiB`);
  expect(last).toBeLessThan((middle ?? 0) * 1.2 + 20);
}
