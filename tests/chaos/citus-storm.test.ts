import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, test } from 'vitest';
import { audit, untilConnected } from '#tests/soak/audit.ts';
import { makeSoakCell } from '#tests/soak/citus-cell.ts';
import { heal, outages } from '#tests/soak/outages.ts';
import { startTraffic } from '#tests/soak/traffic.ts';
import { createRandom } from '#tests/support/random.ts';
import { undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';

/** The coordinator of a Citus with two workers or more, as a superuser. */
const citusUrl = process.env['CITUS_URL'] ?? '';
const steps = Number(process.env['STEPS'] ?? 12);
const phones = Number(process.env['PHONES'] ?? 4);
const seed = Number(process.env['SEED'] ?? 20_261_127);
const settleTimeoutMs = 300_000;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

test.skipIf(citusUrl === '')(
  `two cells on Citus through ${steps} steps (SEED=${seed}), one of them moved again and again: no message is lost, none comes twice or out of order; CITUS_URL names the coordinator`,
  { timeout: steps * 60_000 + 4 * settleTimeoutMs },
  async () => {
    const random = createRandom(seed);
    const openCell = () => makeSoakCell(cleanUp, citusUrl, phones);
    const cells = [await openCell(), await openCell()] as const;
    const [moved] = cells;
    let moves = 0;
    const ofPlaces: Record<string, () => Promise<unknown>> = {
      'a cell moves': async () => {
        await moved.cell.move();
        moves += 1;
      },
      'connections to a node end': () => random.pick(cells).cell.cutConnections(),
    };
    const traffics = cells.map(({ scene }) => startTraffic(scene, random, 500));
    let deck: string[] = [];
    for (let step = 0; step < steps; step += 1) {
      if (deck.length === 0) deck = [...Object.keys(outages), ...Object.keys(ofPlaces), 'a cell moves', 'a cell moves'];
      const [name = ''] = deck.splice(random.below(deck.length), 1);
      console.log(`step ${step + 1}: ${name}`);
      await (ofPlaces[name]?.() ?? outages[name]?.(random.pick(cells).scene, random));
      await delay(500 + random.below(2_000));
    }
    if (moves === 0) await moved.cell.move();
    for (const [index, { scene }] of cells.entries()) {
      await heal(scene);
      await traffics[index]?.stop();
    }
    for (const [index, { scene }] of cells.entries()) {
      await untilConnected(scene, settleTimeoutMs);
      const traffic = traffics[index];
      if (traffic) await audit(scene, traffic, settleTimeoutMs);
    }
  },
);
