import type { Generated, GeneratedAlways } from 'kysely';
import type { WebhookAttempt, WebhookEventType, WebhookStatus } from '#contracts/webhooks.ts';
import type { OptionalJson } from '#server/platform/db/columns.ts';

/** `unsent`: an event that no endpoint wanted; outside it is no delivery. */
export type StoredWebhookStatus = WebhookStatus | 'unsent';

/**
 * Where a project's events go. The fields of the first endpoint that belong to its project are written there alone, and
 * mirrored by a trigger.
 */
export type WebhookEndpointsTable = {
  account_id: number;
  project_id: number;
  id: GeneratedAlways<number>;
  is_first: Generated<boolean>;
  /** The value of a record's `endpoint_id`: the id; for the first endpoint the project's id, negative. */
  queue_id: GeneratedAlways<number>;
  /** Null: the project has no webhook URL. */
  url: string | null;
  /** Null: all but those that have to be named. */
  events: string[] | null;
  /** Of an endpoint of all: those that it names all the same. */
  named_events: string[] | null;
  description: string | null;
  secret_sealed: Buffer;
  /** Signs beside the new one until then. */
  old_secret_sealed: Buffer | null;
  old_secret_until: Date | null;
  paused_at: Date | null;
  /** Since when every attempt has failed. */
  failing_since: Date | null;
  disabled_at: Date | null;
  /** A sentence for the owner. */
  disabled_reason: string | null;
  created_at: Date;
};

type WebhookSequencesTable = { account_id: number; project_id: number; last_sequence: number };

/** When, in milliseconds; the status code; how long it took, in milliseconds; the error; how the answer began. */
export type PackedAttempt = [number, number | null, number, (string | null)?, string?];

/** As the release before keeps it, or packed where the upgrade from that is finished. */
export type KeptAttempt = WebhookAttempt | PackedAttempt;

export type WebhookRecordsTable = {
  account_id: number;
  project_id: number;
  id: Generated<number>;
  /** The `webhook-id` header: the same over all attempts. */
  event_id: string;
  url: string;
  type: WebhookEventType;
  /** The JSON text that is signed and sent, without its id, packed (`unpackJson`) where the upgrade from the release before is finished. */
  payload: string;
  status: StoredWebhookStatus;
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
  /** Null: the project's first endpoint. */
  endpoint_id: number | null;
  /** Of the event, among its project's; null for a test, and for those of before there were sequences. */
  sequence: number | null;
  /** Of the deliveries of one event, the one that stands for it. */
  is_event: Generated<boolean>;
  history: OptionalJson<KeptAttempt[]>;
  created_at: Date;
};

/** A mail that the owner of a project is owed: its endpoint was switched off. */
type WebhookNoticesTable = {
  account_id: number;
  project_id: number;
  reason: string;
  /** Of an endpoint other than the first. */
  url: string | null;
  occurred_at: Date;
  next_attempt_at: Date;
  attempts: Generated<number>;
};

export type WebhookTables = {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_notices: WebhookNoticesTable;
  webhook_records: WebhookRecordsTable;
  webhook_sequences: WebhookSequencesTable;
};
