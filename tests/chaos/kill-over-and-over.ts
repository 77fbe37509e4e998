import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '#tests/support/product.ts';
import type { Random } from '#tests/support/random.ts';

type Disturbance = {
  product: Product;
  /** Starts it again, on the same data. */
  start(): Promise<Product>;
  random: Random;
  kills: number;
  /** How long it lives at the most from its word that it is ready. */
  longestLifeMs: number;
  /** How much of what is disturbed is done, from 0 to 1; at 1 it is left alone. */
  progress(product: Product): Promise<number>;
};

const betweenLooksMs = 5;

/**
 * Kills the product's process group at random moments and starts it again; answers the last, and how often it was
 * killed. No life does more than leaves some of the work for the lives after it, as far as the looks at it can tell.
 */
export async function killOverAndOver(disturbance: Disturbance): Promise<{ product: Product; killed: number }> {
  const { start, random, kills, longestLifeMs, progress } = disturbance;
  let { product } = disturbance;
  for (let killed = 0; killed < kills; killed += 1) {
    const until = performance.now() + random.below(longestLifeMs);
    const largestShare = (killed + 1) / (kills + 1);
    let done = await progress(product);
    while (done < largestShare && performance.now() < until) {
      await delay(betweenLooksMs);
      done = await progress(product);
    }
    if (done >= 1) return { product, killed };
    await product.kill();
    product = await start();
  }
  return { product, killed: kills };
}
