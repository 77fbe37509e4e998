import type { DovepostError } from './dovepost-error.ts';

/** Codes that the documentation marks as retryable: the same request again, with the same Idempotency-Key. */
export const retriedCodes: ReadonlySet<string> = new Set([
  'request_timeout',
  'idempotency_in_progress',
  'subscription_changing',
  'too_many_requests',
  'too_many_attempts',
  'too_many_queries',
  'too_many_exports',
  'internal_error',
  'link_failed',
  'payments_unavailable',
  'oidc_unavailable',
  'phone_silent',
  'busy',
  'database_unavailable',
  'storage_full',
  'storage_unavailable',
  'storage_low',
]);

export type RetryOptions = {
  maxRetries: number;
  /** The longest wait in milliseconds; a request that would have to wait longer fails with its error. */
  longestWaitMs: number;
  random?: () => number;
};

const firstMs = 500;
const shortestMs = 250;

/**
 * After no answer, an answer of a gateway, or a code of `retriedCodes`: as long as the server says and up to half as long
 * again; else up to 0.5, 1, 2 … s, by chance, so that many callers do not come back at once.
 */
export function retryPolicy({ maxRetries, longestWaitMs, random = Math.random }: RetryOptions) {
  return ({ status, code, retryAfterMs }: DovepostError, retries: number): number | undefined => {
    const isGateway = code === 'unexpected_answer' && status >= 502 && status <= 504;
    if (status !== 0 && !isGateway && !retriedCodes.has(code)) return undefined;
    if (retries >= maxRetries || (retryAfterMs ?? 0) > longestWaitMs) return undefined;
    if (retryAfterMs !== undefined) return Math.max(shortestMs, retryAfterMs) * (1 + random() / 2);
    return Math.max(shortestMs, Math.min(longestWaitMs, firstMs * 2 ** retries) * random());
  };
}
