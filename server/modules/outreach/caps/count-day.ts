import type { Cap } from './find-caps.ts';

/** What a number has had: of all topics, or of one. */
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
