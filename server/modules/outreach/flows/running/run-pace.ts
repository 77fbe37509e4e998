import { pauseAfter } from '#server/platform/backoff.ts';

const everyMs = 60_000;
/** Flows that were due together, after a pause of the server say, drift apart. */
const spreadMs = 5_000;

/** The share of time that one flow may search: a run of ten seconds is followed by a pause of two hundred. */
const pauseForEach = 20;
/** The same while profiles change. */
const pauseWhileChanging = 4;
const shortestPauseMs = 1_000;

const growth = { firstMs: everyMs, longestMs: 60 * 60_000 };

/** How long a flow is left alone whose searches have failed so many times in a row, changed profiles or not. */
export const retryPauseMs = (failedRuns: number) => (failedRuns === 0 ? 0 : pauseAfter(failedRuns, growth));

/** When a flow that has just run is due by itself; `share`, from 0 to 1, spreads the flows. */
export function nextRunAt(now: Date, tookMs: number, share: number): Date {
  return new Date(now.getTime() + Math.max(everyMs - share * spreadMs, tookMs * pauseForEach));
}

/** Until when changed profiles do not run it again: an import of a million must not do so with each of its steps. */
export function pacedUntil(now: Date, tookMs: number): Date {
  return new Date(now.getTime() + Math.max(shortestPauseMs, tookMs * pauseWhileChanging));
}
