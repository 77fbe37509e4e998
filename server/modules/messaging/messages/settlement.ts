import type { FailureCode } from '#contracts/failure-codes.ts';
import type { Receipt, SendOutcome } from '#server/connectors/messaging/port.ts';
import { pauseAfter } from '#server/platform/backoff.ts';
import type { MessageRow } from './present.ts';
import type { StoredMessageStatus } from './tables.ts';

/** News from the network about a message. */
export type News = { kind: 'outcome'; outcome: SendOutcome } | { kind: 'receipt'; receipt: Receipt };

export type Change = { before: MessageRow; after: MessageRow };

export type MessageState = Pick<
  MessageRow,
  | 'status'
  | 'error'
  | 'error_code'
  | 'sent_at'
  | 'delivered_at'
  | 'read_at'
  | 'lease_token'
  | 'network_id'
  | 'is_queued'
  | 'attempts'
  | 'retry_at'
>;

/** How often a message is tried that gets no answer, or is held: for about a quarter of an hour. */
const maxAttempts = 10;

const retryGrowth = { firstMs: 5_000, longestMs: 5 * 60_000 };

/** Why a message is failed whose sending was cut off; a late receipt may still settle it. */
export const deliveryUnknown = {
  code: 'delivery_unknown',
  reason: 'Delivery unknown: the connection broke while sending',
} as const;

/** Of these it may turn out that the message had gone out before: the second was being sent as its recipient opted out. */
const provisional: ReadonlySet<FailureCode | null> = new Set([deliveryUnknown.code, 'opted_out', 'topic_opted_out']);

const rank: Record<StoredMessageStatus, number> = {
  scheduled: 0,
  deferred: 0,
  pending: 0,
  sending: 1,
  failed: 2,
  sent: 3,
  delivered: 4,
  read: 5,
};

/**
 * How news changes a message: the new state, or undefined when it changes nothing. A status never goes back, but what was sent
 * can fail; a definite failure stands: only a failure for an unknown delivery, or an opt-out, gives way to word that it did arrive.
 */
export function settle<State extends MessageState>(
  state: State,
  news: News,
  { resendIsHarmless, now }: { resendIsHarmless: boolean; now: Date },
): State | undefined {
  if (news.kind === 'receipt') return followReceipt(state, news.receipt);
  switch (news.outcome.kind) {
    case 'accepted':
      return advance({ ...state, network_id: news.outcome.networkId ?? state.network_id }, 'sent', news.outcome.at);
    case 'refused':
      return fail(state, news.outcome.code, news.outcome.reason);
    case 'unknown':
      if (state.status !== 'sending') return undefined;
      if (!news.outcome.isAttempted) return wait(state, news.outcome.until ?? null);
      if (!resendIsHarmless) return fail(state, deliveryUnknown.code, deliveryUnknown.reason);
      return tryAgain(state, { ...deliveryUnknown, reason: news.outcome.reason }, retryAt(state.attempts, now));
    case 'held':
      if (state.status !== 'sending') return undefined;
      if (isOfNumber.has(news.outcome.code)) return afterRestriction(state, news.outcome);
      return tryAgain(state, news.outcome, news.outcome.until);
  }
}

/** The phone number may not send it: that is nothing about the message. */
const isOfNumber: ReadonlySet<FailureCode> = new Set(['account_restricted', 'number_stopped']);

function followReceipt<State extends MessageState>(state: State, receipt: Receipt): State | undefined {
  const known = { ...state, network_id: receipt.theirId ?? state.network_id };
  if (receipt.status !== 'failed') return advance(known, receipt.status, receipt.at);
  const { code, reason } = receipt;
  const isOpen = state.status === 'sent' || (state.status === 'failed' && state.error_code === deliveryUnknown.code);
  if (!isOpen) return fail(known, code, reason);
  return { ...known, status: 'failed', error: reason, error_code: code };
}

/**
 * The network refused it for what its phone did. A queued message goes back to its queue, as if no phone had touched
 * it: another may take it. Somebody who waits for the answer is told, and nothing goes out later.
 */
function afterRestriction<State extends MessageState>(
  state: State,
  why: { code: FailureCode; reason: string },
): State | undefined {
  return state.is_queued ? { ...wait(state, null), network_id: null } : fail(state, why.code, why.reason);
}

function advance<State extends MessageState>(
  state: State,
  status: 'sent' | 'delivered' | 'read',
  at: Date,
): State | undefined {
  const failedForGood = state.status === 'failed' && !provisional.has(state.error_code);
  if (failedForGood || rank[status] <= rank[state.status]) return undefined;
  return {
    ...state,
    status,
    error: null,
    error_code: null,
    lease_token: null,
    retry_at: null,
    sent_at: state.sent_at ?? at,
    delivered_at: status === 'sent' ? state.delivered_at : (state.delivered_at ?? at),
    read_at: status === 'read' ? at : state.read_at,
  };
}

function wait<State extends MessageState>(state: State, retry_at: Date | null): State {
  return { ...state, status: 'pending', lease_token: null, retry_at };
}

/** At once after the first attempt, then after 5 s, doubling up to 5 minutes. */
function retryAt(attempts: number, now: Date): Date | null {
  if (attempts === 0) return null;
  return new Date(now.getTime() + pauseAfter(attempts, retryGrowth));
}

function tryAgain<State extends MessageState>(
  state: State,
  why: { code: FailureCode; reason: string },
  at: Date | null,
): State | undefined {
  const attempts = state.attempts + 1;
  if (attempts >= maxAttempts) return fail(state, why.code, `Tried ${attempts} times. ${why.reason}`);
  return { ...wait(state, at), attempts };
}

function fail<State extends MessageState>(state: State, code: FailureCode, reason: string): State | undefined {
  if (state.status !== 'sending' && state.status !== 'pending') return undefined;
  return { ...state, status: 'failed', error: reason, error_code: code, lease_token: null };
}
