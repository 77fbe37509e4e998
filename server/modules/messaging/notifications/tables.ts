import type { Generated, GeneratedAlways } from 'kysely';
import type { NotificationKind, NotificationSettingsChange } from '#contracts/notifications.ts';
import type { Json } from '#server/platform/db/columns.ts';

/** A message is of the assignee's, or of everybody's where nobody has the conversation by then. */
export type CauseKind = Exclude<NotificationKind, 'message_mine' | 'message_unassigned'> | 'message';

type CausesTable = {
  id: GeneratedAlways<number>;
  account_id: number;
  kind: CauseKind;
  project_id: number | null;
  conversation_id: number | null;
  alert_id: number | null;
  /** Whom it concerns; null: who that is follows from the conversation or the account. */
  user_ids: number[] | null;
  actor_id: number | null;
  /** Not before then: an alert may be over by then. */
  due_at: Date;
};

export type NotificationsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  user_id: number;
  kind: NotificationKind;
  project_id: number | null;
  conversation_id: number | null;
  alert_id: number | null;
  actor_id: number | null;
  count: Generated<number>;
  created_at: Date;
  read_at: Date | null;
  /** Whether the bell shows it; otherwise it is for pushes and mails alone. */
  is_in_page: boolean;
  /** When a mail is to tell it, unless it is read by then; null: none is. */
  mail_due_at: Date | null;
};

/** Only what differs from the defaults. */
type SettingsTable = { account_id: number; user_id: number; changes: Json<NotificationSettingsChange> };

type PushKeysTable = { id: number; public_key: string; private_key_sealed: Buffer };

export type PushSubscriptionsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  user_id: number;
  /** The session that it was made in: it pushes to nobody once that is over. */
  session_hash: Buffer;
  endpoint_hash: Buffer;
  /** `NewPushSubscription` as JSON. */
  sealed: Buffer;
  program: string | null;
  created_at: Date;
};

type PushDeliveriesTable = {
  id: GeneratedAlways<number>;
  account_id: number;
  subscription_id: number;
  notification_id: number;
  attempts: Generated<number>;
  next_attempt_at: Date;
};

export type NotificationTables = {
  notification_causes: CausesTable;
  notifications: NotificationsTable;
  notification_settings: SettingsTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  push_deliveries: PushDeliveriesTable;
};
