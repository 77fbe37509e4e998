import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PaymentProviderName, SubscriptionStatus } from '#contracts/billing.ts';
import type { SegmentOperator } from '#contracts/conditions.ts';
import type { MessageDirection } from '#contracts/messages.ts';
import type { ConnectorName, PhoneStatus } from '#contracts/phone-numbers.ts';
import type { ImportStatus } from '#contracts/profile-imports.ts';
import type { ProjectStatus } from '#contracts/projects.ts';
import type { WebhookEventType, WebhookStatus } from '#contracts/webhooks.ts';

/** A column that the driver reads as parsed JSON and takes as JSON text. */
type Json<T> = ColumnType<T, string, string>;

/** The driver reads PostgreSQL's `infinity` as the number Infinity. */
type AccessUntil = ColumnType<Date | number | null, Date | 'infinity' | null | undefined, Date | 'infinity' | null>;

export type AccountsTable = {
  id: GeneratedAlways<number>;
  name: string;
  /** As the person wrote it, trimmed. */
  email: string;
  /** Lower case: what uniqueness and sign-in compare. */
  email_key: string;
  password_hash: string;
  api_key_hash: Buffer;
  api_key_sealed: Buffer;
  timezone: Generated<string>;
  /** Until when the subscription opens the product; `infinity` while it renews. Kept by billing alone. */
  access_until: AccessUntil;
  created_at: Generated<Date>;
};

export type SessionsTable = {
  token_hash: Buffer;
  account_id: number;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
};

export type PasswordResetsTable = { token_hash: Buffer; account_id: number; expires_at: Date };

export type SignInAttemptsTable = { key: string; failures: number; last_failed_at: Date };

export type PlansTable = {
  id: number;
  name: string;
  description: string;
  price_cents: number;
  duration_months: number;
  features: Json<string[]>;
  project_limit: number;
};

export type SubscriptionsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  plan_id: number;
  provider: PaymentProviderName;
  order_id: string;
  approval_url: string | null;
  status: SubscriptionStatus;
  started_at: Date | null;
  next_payment_at: Date | null;
  /** The end of the last period known to be paid. */
  paid_until: Date | null;
  /** What this subscription gives the account; the account has the latest of all. */
  access_until: AccessUntil;
  /** When the provider is asked again without being told to; null: never. */
  next_check_at: Date | null;
  /** Grows with every write, so that an older answer of the provider never overwrites a newer one. */
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

export type TestOrdersTable = {
  order_id: string;
  request_id: string;
  account_id: number;
  plan_id: number;
  duration_months: number;
  approved_at: Date | null;
  declined_at: Date | null;
  cancelled_at: Date | null;
  created_at: Date;
};

export type ProjectsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  auth_key_hash: Buffer;
  auth_key_sealed: Buffer;
  webhook_url: string | null;
  webhook_secret_sealed: Buffer;
  status: Generated<ProjectStatus>;
  connected_at: Date | null;
  created_at: Date;
};

export type PhonesTable = {
  account_id: number;
  project_id: number;
  id: GeneratedAlways<number>;
  /** Null until a phone that the project's Connect button made has been scanned; such a phone is not listed yet. */
  number: string | null;
  name: string | null;
  connector: ConnectorName;
  priority: Generated<number>;
  max_daily_messages: Generated<number>;
  is_active: Generated<boolean>;
  status: Generated<PhoneStatus>;
  status_changed_at: Date;
  was_connected: Generated<boolean>;
  connected_at: Date | null;
  error: string | null;
  /** What the user asked for; the worker that holds the lease brings it about. */
  wanted: Generated<'offline' | 'linking' | 'online'>;
  /** A sign-out on the network is still owed. */
  sign_out_requested: Generated<boolean>;
  /** WhatsApp refuses this phone's messages for now (error 463). */
  restricted_until: Date | null;
  link_qr: string | null;
  link_expires_at: Date | null;
  pairing_requested: Generated<boolean>;
  pairing_code: string | null;
  /** The day `daily_count` counts, in the account's time zone, as YYYY-MM-DD. */
  count_day: string | null;
  daily_count: Generated<number>;
  message_count: Generated<number>;
  /** Grows with every message the phone takes: among equals the smallest is least recently used. */
  rotation_turn: Generated<number>;
  last_used_at: Date | null;
  created_at: Date;
};

export type PhoneLeasesTable = {
  account_id: number;
  phone_id: number;
  owner: string;
  /** Grows with every change of owner; a write that carries an older one changes nothing. */
  token: number;
  expires_at: Date;
};

export type ConnectorCredentialsTable = { account_id: number; phone_id: number; sealed: Buffer };

export type ConnectorKeysTable = { account_id: number; phone_id: number; type: string; id: string; sealed: Buffer };

/** `sending` is `pending` to the outside: its network id is committed, the network has not answered. */
export type StoredMessageStatus = 'pending' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

export type MessagesTable = {
  account_id: number;
  project_id: number;
  id: Generated<number>;
  phone_id: number | null;
  direction: MessageDirection;
  recipient: string | null;
  sender: string | null;
  body: string;
  status: StoredMessageStatus;
  error: string | null;
  error_code: string | null;
  network_id: string | null;
  /** Who it went to or came from, as known at that time; the profile may be gone since. */
  profile_id: number | null;
  /** The lease under which it was claimed for sending. */
  lease_token: number | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
};

export type IncomingMessagesSeenTable = {
  account_id: number;
  phone_id: number;
  sender: string;
  network_id: string;
  message_id: number;
  seen_at: Date;
};

export type IdempotencyKeysTable = {
  account_id: number;
  project_id: number;
  key: string;
  fingerprint: Buffer;
  message_id: number;
  created_at: Date;
};

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
  created_at: Date;
};

export type ProfilesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  /** E.164 without the plus. */
  phone: string;
  phone_given: string;
  country_code: string | null;
  calling_code: string | null;
  national_number: string;
  phone_is_valid: boolean;
  name: string | null;
  email: string | null;
  custom_fields: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  status: string;
  created_at: Date;
  /** Messages never change it. */
  updated_at: Date;
};

/** Kept by triggers: how many profiles have a path with a value of this type. */
export type ProfileFieldsTable = {
  account_id: number;
  path: string;
  type: 'string' | 'empty' | 'number' | 'boolean' | 'object' | 'array' | 'null';
  profiles: number;
  /** One of them, unless it has changed since. */
  sample_profile_id: number;
};

export type SegmentsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  field_path: string;
  operator: SegmentOperator;
  value: string;
  created_at: Date;
  updated_at: Date;
};

export type ProfileImportsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  file_name: string | null;
  /** `uploading` is nobody's to see yet. */
  status: ImportStatus | 'uploading';
  columns: Json<{ header: string; samples: string[] }[]>;
  /** One for each column. */
  fields: Json<(string | null)[]>;
  country_code: string | null;
  total_rows: Generated<number>;
  chunk_count: Generated<number>;
  /** Where the check or the import goes on. */
  next_chunk: Generated<number>;
  processed_rows: Generated<number>;
  new_rows: Generated<number>;
  updated_rows: Generated<number>;
  skipped_rows: Generated<number>;
  invalid_rows: Generated<number>;
  error: string | null;
  created_at: Date;
  worked_at: Date;
  finished_at: Date | null;
};

export type ProfileImportChunksTable = {
  account_id: number;
  import_id: number;
  number: number;
  /** Counted from 1. */
  first_row: number;
  row_count: number;
  /** JSON: a list of cells for each row. */
  rows: string;
  /** JSON: an outcome for each row; null until it has been through a check or an import. */
  outcomes: string | null;
  new_rows: Generated<number>;
  updated_rows: Generated<number>;
  skipped_rows: Generated<number>;
  invalid_rows: Generated<number>;
};

export type ProfileImportNumbersTable = { account_id: number; import_id: number; phone: string; row: number };

export type Database = {
  accounts: AccountsTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  sign_in_attempts: SignInAttemptsTable;
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
  test_orders: TestOrdersTable;
  projects: ProjectsTable;
  phones: PhonesTable;
  phone_leases: PhoneLeasesTable;
  connector_credentials: ConnectorCredentialsTable;
  connector_keys: ConnectorKeysTable;
  messages: MessagesTable;
  incoming_messages_seen: IncomingMessagesSeenTable;
  idempotency_keys: IdempotencyKeysTable;
  webhook_records: WebhookRecordsTable;
  profiles: ProfilesTable;
  profile_fields: ProfileFieldsTable;
  segments: SegmentsTable;
  profile_imports: ProfileImportsTable;
  profile_import_chunks: ProfileImportChunksTable;
  profile_import_numbers: ProfileImportNumbersTable;
};
