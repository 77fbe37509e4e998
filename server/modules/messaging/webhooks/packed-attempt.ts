import type { WebhookAttempt } from '#contracts/webhooks.ts';
import type { KeptAttempt, PackedAttempt } from './tables.ts';

/** A third of the size: what is null at the end is left out, and names are none. */
export function packAttempt({ at, status_code, duration_ms, error, answer }: WebhookAttempt): PackedAttempt {
  const start = [Date.parse(at), status_code, duration_ms] as const;
  if (answer !== null) return [...start, error, answer];
  return error === null ? [...start] : [...start, error];
}

export function unpackAttempt(kept: KeptAttempt): WebhookAttempt {
  if (!Array.isArray(kept)) return kept;
  const [at, status_code, duration_ms, error = null, answer = null] = kept;
  return { at: new Date(at).toISOString(), status_code, duration_ms, error, answer };
}
