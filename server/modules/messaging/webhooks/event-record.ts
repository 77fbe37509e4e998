import { randomUUID } from 'node:crypto';
import type { WebhookEventType, WebhookPayload } from '#contracts/webhooks.ts';

/** The `webhook-id` header: the same over all attempts, so that a receiver recognises a repetition. */
export function createEventId(): string {
  return `evt_${randomUUID().replaceAll('-', '')}`;
}

/** The event as it is stored: without its id, which has a column, and its sequence, which is known only then. */
export function payloadText(event: { type: WebhookEventType; at: Date; data: WebhookPayload['data'] }): string {
  return JSON.stringify({
    type: event.type,
    timestamp: event.at.toISOString(),
    data: event.data,
  } satisfies Omit<WebhookPayload, 'id'>);
}

/** The event as it is signed and sent: as it is stored, and its id before the rest. */
export function bodyText({ event_id: id, payload }: { event_id: string; payload: string }): string {
  return `{"id":${JSON.stringify(id)},${payload.slice(1)}`;
}
