import type { Balance } from '#server/modules/numbers/links/index.ts';

/** How many phones one worker has under way to others at a time: whoever takes them logs each of them in anew. */
export const handOversAtOnce = 4;

/** How many phones each worker holds when they are shared evenly; with a remainder, some hold one fewer. */
export function shareOf({ workers, phones }: Pick<Balance, 'workers' | 'phones'>): number {
  return Math.ceil(phones / Math.max(1, workers));
}

/**
 * How many of the free phones a worker takes that holds `held` and may hold `most`: up to its share. Phones that no
 * worker has taken for a while are overdue: a worker that has room takes all of those.
 */
export function phonesToTake(
  balance: Balance,
  { held, most, isOverdue }: { held: number; most: number; isOverdue: boolean },
): number {
  const wanted = isOverdue ? balance.free : Math.min(balance.free, shareOf(balance) - held);
  return Math.max(0, Math.min(wanted, most - held));
}

/** How many phones a worker gives up now that holds `held`, with `underWay` given up and not taken by another yet. */
export function phonesToHandOver(balance: Balance, { held, underWay }: { held: number; underWay: number }): number {
  return Math.max(0, Math.min(held - shareOf(balance), handOversAtOnce - underWay));
}
