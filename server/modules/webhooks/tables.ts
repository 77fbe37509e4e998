import type { Generated } from 'kysely';
import type { WebhookEventType, WebhookStatus } from '#contracts/webhooks.ts';

export type WebhookRecordsTable = {
  account_id: number;
  project_id: number;
  id: Generated<number>;
  /** The `webhook-id` header: the same over all attempts. */
  event_id: string;
  url: string;
  type: WebhookEventType;
  /** The exact JSON text that is signed and sent. */
  payload: string;
  status: WebhookStatus;
  error: string | null;
  attempts: Generated<number>;
  last_status_code: number | null;
  next_attempt_at: Date | null;
  /** Its events are sent one after another. */
  message_id: number | null;
  /** The next attempt was asked for by a person. */
  is_manual: Generated<boolean>;
  /** How many of the attempts were: they take no turn of the automatic schedule. */
  manual_attempts: Generated<number>;
  /** When the automatic schedule goes on after a manual attempt; null when it had ended. */
  scheduled_attempt_at: Date | null;
  created_at: Date;
};

/** A mail that the owner of a project is owed: its endpoint was switched off. */
type WebhookNoticesTable = {
  account_id: number;
  project_id: number;
  reason: string;
  occurred_at: Date;
  next_attempt_at: Date;
  attempts: Generated<number>;
};

export type WebhookTables = {
  webhook_notices: WebhookNoticesTable;
  webhook_records: WebhookRecordsTable;
};
