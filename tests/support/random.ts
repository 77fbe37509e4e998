/** Random choices that are the same for the same seed. */
export type Random = {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(share: number): boolean;
};

/** Mulberry32, by Tommy Ettinger. */
export function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (choices) => choices[below(choices.length)] as never, chance: (share) => next() < share };
}
