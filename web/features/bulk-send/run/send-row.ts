import type { OutgoingText } from '#contracts/new-message.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError } from '#web/shared/api-error.ts';
import type { SettledOutcome } from './outcome.ts';
import { pause } from './pause.ts';
import { isKeyForgotten, unknownOutcome } from './restore-run.ts';

export type RowMessage = { authKey: string; key: string; body: OutgoingText };

/** `blocked`: the answer is about the project or the account, the next row is likely to get the same. */
export type RowAnswer =
  | { kind: 'settled'; outcome: SettledOutcome; blocked?: string }
  | { kind: 'unreachable'; reason: string };

const retryPausesMs = [1000, 2000, 4000, 8000];

/** Refusals that are not of the recipient or the text. */
const blockingCodes = new Set([
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'phones_limited',
  'daily_limit_reached',
  'invalid_auth_key',
  'subscription_required',
]);

/**
 * Sends one row. Where no answer comes it tries again, with the same key: whatever arrived of an earlier try is not
 * sent anew. `signal` ends the tries, not the request under way.
 */
export async function sendRow({ authKey, key, body }: RowMessage, signal: AbortSignal): Promise<RowAnswer> {
  const firstTryAt = Date.now();
  for (let tries = 0; ; tries += 1) {
    try {
      const headers = { 'idempotency-key': key };
      const { status, error } = await callApi('POST /api/send-message', { headers, body }, { authKey });
      if (status !== 'failed') return { kind: 'settled', outcome: { status: 'sent' } };
      return { kind: 'settled', outcome: { status: 'failed', error: error ?? 'Failed to send message' } };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 0) return refused(error);
      const retryPauseMs = retryPausesMs[tries];
      // Offline, the run pauses at once: nothing is sent by itself on reconnect.
      if (error.code === 'offline' || retryPauseMs === undefined || signal.aborted)
        return { kind: 'unreachable', reason: error.message };
      await pause(retryPauseMs, signal);
      // The machine may have slept for days meanwhile.
      if (isKeyForgotten(firstTryAt, Date.now())) return { kind: 'settled', outcome: unknownOutcome };
    }
  }
}

function refused(error: ApiError): RowAnswer {
  const reason = refusalText(error);
  const outcome = { status: 'failed', error: reason } as const;
  return { kind: 'settled', outcome, ...(blockingCodes.has(error.code) && { blocked: reason }) };
}

/** The server's own words, else the status. */
export function refusalText({ status, code, message }: ApiError): string {
  return code === 'unexpected_answer' || message === '' ? `HTTP ${status}` : message;
}
