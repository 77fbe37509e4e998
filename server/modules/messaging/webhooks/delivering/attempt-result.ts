import type { WebhookAttempt, WebhookStatus } from '#contracts/webhooks.ts';
import { assertNever } from '#server/platform/errors.ts';
import { nextAttemptAt } from '../retry-schedule.ts';
import type { AttemptOutcome } from '../sending/send-webhook.ts';
import type { ClaimedWebhook } from './claim-due-webhooks.ts';

/** The changes that an attempt makes to its record. */
export type AttemptResult = {
  status: WebhookStatus;
  error: string | null;
  attempts: number;
  manualAttempts: number;
  /** The next attempt is still the one that a person asked for. */
  isManual: boolean;
  /** Null: the attempt got no answer. */
  statusCode: number | null;
  nextAttemptAt: Date | null;
};

/** `attempt` is undefined where nothing of it is to be kept. */
export type SettledWebhook = { record: ClaimedWebhook; result: AttemptResult; attempt: WebhookAttempt | undefined };

type AttemptedRecord = Pick<
  ClaimedWebhook,
  'attempts' | 'manual_attempts' | 'is_manual' | 'scheduled_attempt_at' | 'error' | 'last_status_code'
>;

/** `record` is as it was before this attempt. */
export function attemptResult(
  record: AttemptedRecord,
  outcome: AttemptOutcome,
  chance: { now: Date; random: number },
): AttemptResult {
  const attempts = record.attempts + 1;
  const manualAttempts = record.manual_attempts + (record.is_manual ? 1 : 0);
  const counted = { attempts, manualAttempts, isManual: false };
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'success', error: null, ...counted, statusCode: outcome.statusCode, nextAttemptAt: null };
    case 'undeliverable':
      return { status: 'failed', error: outcome.error, ...counted, statusCode: null, nextAttemptAt: null };
    case 'failed': {
      // A manual attempt takes no turn of the automatic schedule: that goes on, or stays ended, as it was.
      const next = record.is_manual
        ? record.scheduled_attempt_at
        : (nextAttemptAt(attempts - manualAttempts, { ...chance, retryAfterMs: outcome.retryAfterMs }) ?? null);
      return {
        status: next ? 'pending' : 'failed',
        error: outcome.error,
        ...counted,
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
        manualAttempts: record.manual_attempts,
        isManual: record.is_manual,
        statusCode: record.last_status_code,
        nextAttemptAt: chance.now,
      };
    default:
      return assertNever(outcome);
  }
}
