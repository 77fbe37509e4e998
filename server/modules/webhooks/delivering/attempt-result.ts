import type { WebhookStatus } from '#contracts/webhooks.ts';
import { assertNever } from '#server/platform/errors.ts';
import { nextAttemptAt } from '../retry-schedule.ts';
import type { AttemptOutcome } from '../sending/send-webhook.ts';

/** What an attempt makes of its record. */
export type AttemptResult = {
  status: WebhookStatus;
  error: string | null;
  attempts: number;
  /** Null: the attempt got no answer. */
  statusCode: number | null;
  nextAttemptAt: Date | null;
};

/** `record` is as it was before this attempt. */
export function attemptResult(
  record: { attempts: number; error: string | null; last_status_code: number | null },
  outcome: AttemptOutcome,
  chance: { now: Date; random: number },
): AttemptResult {
  const attempts = record.attempts + 1;
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'success', error: null, attempts, statusCode: outcome.statusCode, nextAttemptAt: null };
    case 'undeliverable':
      return { status: 'failed', error: outcome.error, attempts, statusCode: null, nextAttemptAt: null };
    case 'failed': {
      const next = nextAttemptAt(attempts, { ...chance, retryAfterMs: outcome.retryAfterMs }) ?? null;
      return {
        status: next ? 'pending' : 'failed',
        error: outcome.error,
        attempts,
        statusCode: outcome.statusCode ?? null,
        nextAttemptAt: next,
      };
    }
    case 'interrupted':
      // Handed back: the endpoint is not to blame, so the attempt does not count.
      return {
        status: 'pending',
        error: record.error,
        attempts: record.attempts,
        statusCode: record.last_status_code,
        nextAttemptAt: chance.now,
      };
    default:
      return assertNever(outcome);
  }
}
