import type { Selectable } from 'kysely';
import type { WebhookAttempt, WebhookRecord } from '#contracts/webhooks.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { bodyText } from './event-record.ts';
import { unpackAttempt } from './packed-attempt.ts';
import type { WebhookRecordsTable } from './tables.ts';

export type WebhookRow = Selectable<WebhookRecordsTable>;

/** Without messages:read the payload is withheld. */
export function presentWebhook(ctx: AccountContext, row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    event_id: row.event_id,
    sequence: row.sequence,
    endpoint_id: row.endpoint_id,
    url: row.url,
    type: row.type,
    payload: isPermitted(ctx.actor, 'messages:read') ? JSON.parse(bodyText(row)) : null,
    // Events without an endpoint are in no list of deliveries.
    status: row.status === 'unsent' ? 'pending' : row.status,
    error: row.error,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentWithHistory(
  ctx: AccountContext,
  row: WebhookRow,
): WebhookRecord & { history: WebhookAttempt[] } {
  return { ...presentWebhook(ctx, row), history: (row.history ?? []).map((attempt) => unpackAttempt(attempt)) };
}
