import type { FailureCode } from '#contracts/failure-codes.ts';
import type { Receipt, SendOutcome } from '#server/connectors/messaging/port.ts';
import type { StoredMessageStatus } from '#server/platform/db/schema.ts';
import type { MessageRow } from './present.ts';

/** What the network said of one message. */
export type News = { kind: 'outcome'; outcome: SendOutcome } | { kind: 'receipt'; receipt: Receipt };

export type MessageState = Pick<
  MessageRow,
  'status' | 'error' | 'error_code' | 'sent_at' | 'delivered_at' | 'read_at' | 'lease_token'
>;

/** Why a message is failed whose sending was cut off; a late receipt may still settle it. */
export const deliveryUnknown = {
  code: 'delivery_unknown',
  reason: 'Delivery unknown: the connection broke while sending',
} as const;

const rank: Record<StoredMessageStatus, number> = { pending: 0, sending: 1, failed: 2, sent: 3, delivered: 4, read: 5 };

/**
 * How news changes a message: the new state, or undefined when it changes nothing. A status never goes back, and a
 * definite failure stands; only a failure for an unknown delivery gives way to word that it did arrive.
 */
export function settle(
  state: MessageState,
  news: News,
  connector: { resendIsHarmless: boolean },
): MessageState | undefined {
  if (news.kind === 'receipt') return advance(state, news.receipt.status, news.receipt.at);
  switch (news.outcome.kind) {
    case 'accepted':
      return advance(state, 'sent', news.outcome.at);
    case 'refused':
      return fail(state, news.outcome.code, news.outcome.reason);
    case 'unknown':
      if (state.status !== 'sending') return undefined;
      return connector.resendIsHarmless
        ? { ...state, status: 'pending', lease_token: null }
        : fail(state, deliveryUnknown.code, deliveryUnknown.reason);
  }
}

function advance(state: MessageState, status: 'sent' | 'delivered' | 'read', at: Date): MessageState | undefined {
  const failedForGood = state.status === 'failed' && state.error_code !== deliveryUnknown.code;
  if (failedForGood || rank[status] <= rank[state.status]) return undefined;
  return {
    status,
    error: null,
    error_code: null,
    lease_token: null,
    sent_at: state.sent_at ?? at,
    delivered_at: status === 'sent' ? state.delivered_at : (state.delivered_at ?? at),
    read_at: status === 'read' ? at : state.read_at,
  };
}

function fail(state: MessageState, code: FailureCode, reason: string): MessageState | undefined {
  if (state.status !== 'sending' && state.status !== 'pending') return undefined;
  return { ...state, status: 'failed', error: reason, error_code: code, lease_token: null };
}
