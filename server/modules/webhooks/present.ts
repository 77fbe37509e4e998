import type { Selectable } from 'kysely';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import type { WebhookRecordsTable } from './tables.ts';

export type WebhookRow = Selectable<WebhookRecordsTable>;

export function presentWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    url: row.url,
    payload: JSON.parse(row.payload),
    status: row.status,
    error: row.error,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
