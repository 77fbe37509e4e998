import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { OutgoingContent, OutgoingTemplate } from '#contracts/message-content.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { ProjectScope, Tx } from '#server/context.ts';
import { countersOf } from '#server/process-counters.ts';
import { assertNever } from '#server/platform/errors.ts';
import { acceptMessages } from '../accept-message.ts';
import type { MessageOrigin } from '../accept-message.ts';

/** A message that a ledger enqueues. `to` is the full number in digits; `message` is the caption of `media`. */
export type QueuedText = {
  profileId?: number;
  to: string;
  message: string;
  media?: CarriedMedia | null;
  /** Filled; `message` is the text of its body. */
  template?: OutgoingTemplate;
  origin: MessageOrigin;
};

/** Anything but `queued`: it was not taken, and stays where it waits. */
export type Queueing =
  | { kind: 'queued'; messageId: number }
  | { kind: 'no_connected_phone' | 'phones_inactive' | 'sandbox_resting' }
  | { kind: 'daily_limit' | 'phone_limited'; until: Date }
  /** Its recipient has opted out since the ledger looked. */
  | { kind: 'opted_out' }
  /** Enough wait in the outbox already. */
  | { kind: 'no_room' }
  /** The phones' pace or limits deny it this message now, and perhaps not the next one. */
  | { kind: 'later'; at: Date; why?: WaitingReason | undefined }
  /** Nobody may write to this number before it has written. */
  | { kind: 'must_write_first' }
  /** The recipient has not written for so long that only a template would reach them. */
  | { kind: 'window_closed' }
  /** The network let no more marketing reach the recipient within the last 24 hours. */
  | { kind: 'marketing_capped' };

/**
 * Enqueues messages: phones are chosen and counted as for a direct send, but none takes more than it drains
 * soon. Runs in the transaction that notes in the ledger which were taken, so that both are there or neither. Answers
 * in the order of `texts`. From the first that was not taken for want of a phone or of room, none is where no phone keeps a
 * pace.
 */
export async function queueMessages(tx: Tx, scope: ProjectScope, texts: readonly QueuedText[]): Promise<Queueing[]> {
  if (texts.length === 0) return [];
  const submissions = texts.map(({ message: text, media, template, ...rest }) => ({
    ...rest,
    content: template ? ({ type: 'template', text, template } as const) : contentOf(text, media),
    key: undefined,
    onId: () => undefined,
  }));
  const acceptances = await acceptMessages(tx, { ...scope, isQueued: true }, submissions);
  return acceptances.map((acceptance) => {
    switch (acceptance.kind) {
      case 'accepted':
        // A transaction that is rolled back and tried again counts twice.
        countersOf(tx).add('dovepost_messages_accepted_total', { kind: 'queued' });
        return { kind: 'queued', messageId: acceptance.message.id };
      case 'opted_out':
      case 'daily_limit':
      case 'no_room':
      case 'no_connected_phone':
      case 'phones_inactive':
      case 'sandbox_resting':
      case 'later':
      case 'must_write_first':
      case 'window_closed':
      case 'marketing_capped':
        return acceptance;
      case 'phones_limited':
        return { kind: 'phone_limited', until: acceptance.until };
      case 'replayed':
      case 'idempotency_conflict':
        throw new Error('A message without an Idempotency-Key was taken for another');
      default:
        return assertNever(acceptance);
    }
  });
}

function contentOf(text: string, carried: CarriedMedia | null = null): OutgoingContent {
  if (!carried) return { type: 'text', text };
  const { type, ...media } = carried;
  return { type, text, media };
}
