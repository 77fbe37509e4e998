import type { Cap } from './find-caps.ts';

/** A message that a number has had, with its topic. */
export type Had = { topicId: number | null; isToday: boolean };

/**
 * How many more messages of a topic the caps let a number have today; those of another topic count for the cap of all.
 */
export function roomFor(caps: readonly Cap[], had: readonly Had[]): number {
  const rooms = caps.flatMap(({ topicId, perDay, perWeek }) => {
    const counted = had.filter((each) => topicId === null || each.topicId === topicId);
    const today = counted.filter(({ isToday }) => isToday).length;
    return [...(perDay === null ? [] : [perDay - today]), ...(perWeek === null ? [] : [perWeek - counted.length])];
  });
  return Math.max(0, Math.min(...rooms, Number.POSITIVE_INFINITY));
}
