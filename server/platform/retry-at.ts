const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** When to try again what has failed so many times: after a minute, then twice as long each time, up to an hour. */
export function retryAt(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(minuteMs * 2 ** (attempts - 1), hourMs));
}
