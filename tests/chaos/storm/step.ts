import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '#tests/support/random.ts';
import { disturb } from './cluster.ts';
import type { Cluster, Worker } from './cluster.ts';
import type { StormScene } from './storm-scene.ts';

/** An action on the product; answers a remark for the log. */
export type Step = {
  /** Until the database is back, a 503 is right. */
  touchesDatabase?: boolean;
  /** The end of its connections to WhatsApp does not reach the network, so that others log in over them. */
  leavesConnections?: boolean;
  /** Whether the storm has what the step is about; where left out, each has. */
  isPossible?(cluster: Cluster): boolean;
  run(scene: StormScene, random: Random): Promise<string | void>;
};

export const workerOf = ({ cluster }: StormScene, random: Random): Worker => random.pick(cluster.workers);

/** The progress of the others' traffic shows that the other processes work. */
export const othersProgress = ({ streams }: StormScene) =>
  Promise.all([streams.shop.progress(5), streams.neighbour.progress(5)]);

/** Well below what a lease lasts, so that nobody takes the phones of a process which is stopped for a moment. */
const momentMs = 10_000;

/** Until the others got on, and a moment at most: `whileOff` begins and ends it. Answers whether they took longer. */
export async function forAMoment(
  scene: StormScene,
  worker: Worker,
  whileOff: (wait: () => Promise<boolean>) => Promise<boolean>,
): Promise<string | undefined> {
  const ended = new AbortController();
  const longEnough = delay(momentMs, true, { signal: ended.signal }).catch(() => false);
  const progress = othersProgress(scene).then(() => false);
  const isCutShort = await disturb(worker, () => whileOff(() => Promise.race([progress, longEnough])));
  ended.abort();
  await progress;
  return isCutShort ? 'the others took longer' : undefined;
}

/** With other settings until others got on, then as before. */
export async function restartWith(
  scene: StormScene,
  worker: Worker,
  { env, meanwhile }: { env: Record<string, string>; meanwhile?(): Promise<void> },
): Promise<void> {
  await restart(worker, env);
  await meanwhile?.();
  await othersProgress(scene);
  await restart(worker);
}

export async function restart(worker: Worker, env?: Record<string, string>): Promise<void> {
  await disturb(worker, async () => {
    expect(await worker.product.stop()).toBe(0);
    await worker.start(env);
  });
}
