/** The time, passed in wherever a decision depends on it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
