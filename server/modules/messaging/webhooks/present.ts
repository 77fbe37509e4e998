import type { Selectable } from 'kysely';
import type { WebhookAttempt, WebhookRecord } from '#contracts/webhooks.ts';
import type { WebhookRecordsTable } from './tables.ts';

export type WebhookRow = Selectable<WebhookRecordsTable>;

export function presentWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    event_id: row.event_id,
    sequence: row.sequence,
    endpoint_id: row.endpoint_id,
    url: row.url,
    payload: JSON.parse(row.payload),
    // What no endpoint wanted is in no list of deliveries.
    status: row.status === 'unsent' ? 'pending' : row.status,
    error: row.error,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentWithHistory(row: WebhookRow): WebhookRecord & { history: WebhookAttempt[] } {
  return { ...presentWebhook(row), history: row.history ?? [] };
}
