/** How many of the account's profiles one slice goes through. */
export const firstSliceSize = 20_000;
const smallest = 2_000;
const largest = 200_000;

/** The longest that one account's slice may keep the others waiting. */
const aimMs = 250;
/** Bounded, since a single slow or quick slice predicts little: caches are cold, or nobody matched. */
const largestStep = 2;

/** The next slice after one that took so long: large enough to cost little besides its rows, and soon over. */
export function nextSliceSize(size: number, tookMs: number): number {
  const factor = Math.min(largestStep, Math.max(1 / largestStep, aimMs / Math.max(1, tookMs)));
  return Math.round(Math.min(largest, Math.max(smallest, size * factor)));
}
