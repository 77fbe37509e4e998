import { randomUUID } from 'node:crypto';
import type { WebhookEventType, WebhookPayload } from '#contracts/webhooks.ts';

/** The `webhook-id` header: the same over all attempts, so that a receiver recognises a repetition. */
export function createEventId(): string {
  return `evt_${randomUUID().replaceAll('-', '')}`;
}

/** The event as it is stored, signed and sent, except for its sequence, which is known only when it is stored. */
export function payloadText(event: { type: WebhookEventType; at: Date; data: WebhookPayload['data'] }): string {
  return JSON.stringify({
    type: event.type,
    timestamp: event.at.toISOString(),
    data: event.data,
  } satisfies WebhookPayload);
}
