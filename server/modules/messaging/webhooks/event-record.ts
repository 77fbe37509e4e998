import { randomUUID } from 'node:crypto';
import type { WebhookEventType, WebhookPayload } from '#contracts/webhooks.ts';
import { packJson, unpackJson } from '#server/platform/db/packed-json.ts';

/** The `webhook-id` header: the same over all attempts, so that a receiver recognises a repetition. */
export function createEventId(): string {
  return `evt_${randomUUID().replaceAll('-', '')}`;
}

type NewEvent = { type: WebhookEventType; at: Date; data: WebhookPayload['data'] };

const payloadOf = ({ type, at, data }: NewEvent) =>
  ({ type, timestamp: at.toISOString(), data }) satisfies Omit<WebhookPayload, 'id'>;

/** The text of an event without a sequence, as it is stored: without its id, which has a column. */
export const payloadText = (event: NewEvent): string => JSON.stringify(payloadOf(event));

/** The same packed, with 0 in the place of the sequence, which is known only when it is stored. */
export const numberedPayload = (event: NewEvent): string =>
  packJson(JSON.stringify({ ...payloadOf(event), sequence: 0 } satisfies Omit<WebhookPayload, 'id'>));

/** The event as it is signed and sent: as it is stored, unpacked, and its id before the rest. */
export function bodyText({ event_id: id, payload }: { event_id: string; payload: string }): string {
  return `{"id":${JSON.stringify(id)},${unpackJson(payload).slice(1)}`;
}
