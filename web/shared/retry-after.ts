import type { ApiError } from './api-error.ts';

const maxRetries = 3;
const shortestMs = 250;
/** A longer wait is reported instead. */
const longestMs = 10_000;

/**
 * How long to wait before a refused GET is asked again, in milliseconds; undefined where it is not. The server names the
 * wait; up to half of it is added, so that many pages do not come back at once.
 */
export function waitBeforeRetry({ status, code, retryAfterMs }: ApiError, retries: number): number | undefined {
  const isBusy = (status === 429 || status === 503) && code !== 'too_costly';
  if (!isBusy || retryAfterMs === undefined || retryAfterMs > longestMs || retries >= maxRetries) return undefined;
  return Math.max(shortestMs, retryAfterMs) * (1 + Math.random() / 2);
}
