const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** After each failed attempt in turn; as Standard Webhooks suggests, over about a day. */
const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** Spreads the retries of records that failed together. */
const jitter = 0.2;

/** A server may put its next delivery off, but not for ever. */
const maxRetryAfterMs = 24 * hour;

/**
 * When to try again after the `attempts`th attempt failed (1 is the first); undefined when that was the last.
 * `random` is in [0, 1); `retryAfterMs` is what the server asked for.
 */
export function nextAttemptAt(
  attempts: number,
  input: { now: Date; random: number; retryAfterMs?: number | undefined },
): Date | undefined {
  const delayMs = retryDelaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const jitteredMs = delayMs * (1 - jitter + 2 * jitter * input.random);
  const askedMs = Math.min(input.retryAfterMs ?? 0, maxRetryAfterMs);
  return new Date(input.now.getTime() + Math.round(Math.max(jitteredMs, askedMs)));
}

/** A Retry-After header (RFC 9110 §10.2.3: seconds or a date) as milliseconds from `now`; undefined when unreadable. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
