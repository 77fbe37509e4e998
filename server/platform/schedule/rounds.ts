import { pauseAfter } from '../backoff.ts';

/** When a job's rounds come: every `everyMs` since the epoch (UTC), each `offsetMs` later. */
export type Rounds = { everyMs: number; offsetMs: number };

const minuteMs = 60_000;

export const everyMinutes = (minutes: number): Rounds => ({ everyMs: minutes * minuteMs, offsetMs: 0 });

export const hourlyAt = (minute: number): Rounds => ({ everyMs: 60 * minuteMs, offsetMs: minute * minuteMs });

/** `hour` and `minute` are UTC. */
export const dailyAt = (hour: number, minute: number): Rounds => ({
  everyMs: 24 * 60 * minuteMs,
  offsetMs: (hour * 60 + minute) * minuteMs,
});

/** The first round after `now`; both in milliseconds since the epoch. */
export function nextRoundAt({ everyMs, offsetMs }: Rounds, now: number): number {
  return (Math.floor((now - offsetMs) / everyMs) + 1) * everyMs + offsetMs;
}

/** When a job that failed so often in a row is tried again: soon at first, and no later than its next round. */
export function retryAt(rounds: Rounds, failures: number, now: number): number {
  const pauseMs = pauseAfter(failures, { firstMs: minuteMs, longestMs: 60 * minuteMs });
  return Math.min(nextRoundAt(rounds, now), now + pauseMs);
}
