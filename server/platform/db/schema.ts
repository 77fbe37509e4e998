import type { FailureCode } from '#contracts/failure-codes.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { SecurityEventType } from '#contracts/security-events.ts';
import type { PaymentProviderName, PaymentStatus, SubscriptionStatus } from '#contracts/billing.ts';
import type { CampaignStatus, WaitingReason } from '#contracts/campaigns.ts';
import type { Condition, SegmentCondition, SegmentOperator } from '#contracts/conditions.ts';
import type { FlowDuration, FlowFrequency } from '#contracts/flows.ts';
import type {
  MessageLocation,
  MessageMedia,
  MessageReaction,
  MessageSource,
  MessageType,
  SharedContact,
} from '#contracts/message-content.ts';
import type { MessageDirection } from '#contracts/messages.ts';
import type { ConnectorName, PhoneStatus } from '#contracts/phone-numbers.ts';
import type { ImportStatus } from '#contracts/profile-imports.ts';
import type { ProjectStatus } from '#contracts/projects.ts';
import type { WebhookEventType, WebhookStatus } from '#contracts/webhooks.ts';

/** A column that the driver reads as parsed JSON and takes as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

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
  /** What the payment provider knows the account by. */
  payment_reference: Generated<string>;
  created_at: Generated<Date>;
  /** Null once the address is confirmed, or where none has to be. */
  email_unconfirmed_since: Date | null;
};

export type SessionsTable = {
  token_hash: Buffer;
  account_id: number;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
};

export type PasswordResetsTable = { token_hash: Buffer; account_id: number; expires_at: Date };

/** Confirms `email`: the account's own address, or the one that is to take its place. */
export type EmailLinksTable = {
  account_id: number;
  token_hash: Buffer;
  email: string;
  email_key: string;
  expires_at: Date;
};

export type SignInNetworksTable = { account_id: number; network: string; last_at: Date };

export type SecurityEventsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  type: SecurityEventType;
  at: Date;
  ip: string | null;
  user_agent: string | null;
  detail: string | null;
};

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
  /** The provider's id of the plan as it was when the order was made: a later setting changes nothing for it. */
  provider_plan_id: string;
  approval_url: string | null;
  status: SubscriptionStatus;
  /** When the first payment was agreed to be taken, the account being paid for until then; null: at once. */
  starts_at: Date | null;
  started_at: Date | null;
  next_payment_at: Date | null;
  /** The end of the last period known to be paid. */
  paid_until: Date | null;
  last_paid_at: Date | null;
  /** When the first payment failed of those that have not been made up for; null when none is owed. */
  payment_failed_at: Date | null;
  /** The payments at the provider may be others than those written down. */
  payments_stale: Generated<boolean>;
  /** What this subscription gives the account; the account has the latest of all. */
  access_until: AccessUntil;
  /** When the provider is asked again without being told to; null: never. */
  next_check_at: Date | null;
  /** Grows with every write, so that an older answer of the provider never overwrites a newer one. */
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

export type PaymentsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  provider: PaymentProviderName;
  provider_payment_id: string;
  order_id: string;
  amount_cents: number;
  currency: string;
  status: PaymentStatus;
  paid_at: Date;
};

/** What the provider told of its own accord; each makes the server ask for the truth. */
export type PaymentEventsTable = {
  provider: PaymentProviderName;
  event_id: string;
  type: string;
  order_id: string | null;
  payment_id: string | null;
  received_at: Date;
  attempts: Generated<number>;
  /** Null once nothing is left to do about it. */
  next_attempt_at: Date | null;
};

export type SubscriptionNoticesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  subscription_id: number;
  occasion: NoticeOccasion;
  /** Tells one occasion from the next of its kind. */
  occurred_at: Date;
  access_ends_at: Date | null;
  created_at: Date;
  attempts: Generated<number>;
  /** Null once it is sent, or no longer to be sent. */
  next_attempt_at: Date | null;
  sent_at: Date | null;
};

/**
 * What the owner of an account is told once each time it happens:
 * - `payment_failed`: access goes on until `accessEndsAt`, unless the payment is made up for;
 * - `access_ends`: cancelled; access goes on until `accessEndsAt`;
 * - `access_ended`: nothing is sent any more since `accessEndsAt`; nothing is deleted, phones stay linked for 30 days;
 * - `phones_signed_out`: those 30 days are over;
 * - `welcome_back`: access is open again after it had ended, and what waited is being sent.
 */
export type NoticeOccasion = 'payment_failed' | 'access_ends' | 'access_ended' | 'phones_signed_out' | 'welcome_back';

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
  /** Since when every attempt at its webhook URL has failed. */
  webhook_failing_since: Date | null;
  webhook_disabled_at: Date | null;
  /** A sentence for the owner. */
  webhook_disabled_reason: string | null;
  status: Generated<ProjectStatus>;
  connected_at: Date | null;
  /** When a phone other than a sandbox was first connected: from then on its sandboxes rest. */
  real_phone_since: Date | null;
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

/** A phone is linked through one engine at a time; another's credentials are none. */
export type ConnectorCredentialsTable = {
  account_id: number;
  phone_id: number;
  engine: Generated<string>;
  sealed: Buffer;
};

export type ConnectorKeysTable = { account_id: number; phone_id: number; type: string; id: string; sealed: Buffer };

/** `sending` is `pending` to the outside: its network id is committed, the network has not answered. */
export type StoredMessageStatus = 'pending' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

export type IdempotentRequestsTable = {
  account_id: number;
  key: string;
  /** SHA-256 of what was asked for. */
  fingerprint: Buffer;
  /** Null while the work is under way. */
  status: number | null;
  answer_sealed: Buffer | null;
  created_at: Date;
};

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
  error_code: FailureCode | null;
  network_id: string | null;
  /** Who it went to or came from, as known at that time; the profile may be gone since. */
  profile_id: number | null;
  /** What sent it; both null for one sent by itself. */
  campaign_id: number | null;
  flow_id: number | null;
  /** The lease under which it was claimed for sending. */
  lease_token: number | null;
  /** The day on which its phone counted it, as YYYY-MM-DD; null once that was given back, and for incoming ones. */
  counted_day: string | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  /** Null is a text. */
  type: MessageType | null;
  media: OptionalJson<MessageMedia>;
  /** What the connector needs to fetch the media. */
  media_source: OptionalJson<Record<string, unknown>>;
  location: OptionalJson<MessageLocation>;
  contacts: OptionalJson<SharedContact[]>;
  protocol_type: string | null;
  reply_to: number | null;
  reactions: OptionalJson<MessageReaction[]>;
  edited_at: Date | null;
  deleted_at: Date | null;
  metadata: OptionalJson<Record<string, string>>;
  /** Null where the campaign, the flow or neither says it. */
  source: MessageSource | null;
  /** The address of a sender whose number is not known. */
  from_lid: string | null;
  /** How many sends of it ended without an answer, and when the next may be tried. */
  attempts: Generated<number>;
  retry_at: Date | null;
};

/** What became of the messages that were created in a quarter of an hour; kept with every change of a status. */
export type MessageCountsTable = {
  account_id: number;
  project_id: number;
  quarter_hour: Date;
  /** 0: no phone was chosen. */
  phone_id: number;
  direction: MessageDirection;
  sent: Generated<number>;
  delivered: Generated<number>;
  failed: Generated<number>;
  received: Generated<number>;
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
  /** Another profile, older than the key, has another form of the number. */
  is_twin: Generated<boolean>;
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

/** What changed in `profile_fields` and is not folded into it yet. */
export type ProfileFieldDeltasTable = Omit<ProfileFieldsTable, 'sample_profile_id'> & {
  id: GeneratedAlways<number>;
  sample_profile_id: number | null;
};

/** Profiles that are to adopt further messages from before they were there. */
export type ProfileAdoptionsTable = { account_id: number; profile_id: number; phone_key: string };

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

/** `queued`: handed to a phone, the network has not answered yet. */
export type LedgerStatus = 'waiting' | 'queued' | 'sent' | 'failed' | 'skipped';

/** With the tallies added, the counts follow the ledger: waiting + queued + sent + failed + skipped make the total. */
export type CampaignsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  segment_id: number;
  name: string;
  message: string;
  status: CampaignStatus;
  error: string | null;
  waiting_for: WaitingReason | null;
  scheduled_at: Date | null;
  spread_minutes: number | null;
  /** When the recipients were taken down, moved on by the time that it was paused: from here the spreading counts. */
  spread_from: Date | null;
  paused_at: Date | null;
  /** Up to which profile the ledger has been handed out. */
  fed_until: Generated<number>;
  /** Null: as `recheckAfterMs` says. */
  recheck_members: boolean | null;
  /** The moment as of which the recipients are, or are being, read; null before. */
  snapshot_at: Date | null;
  /** Up to which profile they have been read, and to which they will be; both null unless a slice of them is there. */
  snapshot_after: number | null;
  snapshot_until: number | null;
  /** The segment's condition as it was at `snapshot_at`. */
  snapshot_condition: SegmentCondition | null;
  total_count: Generated<number>;
  queued_count: Generated<number>;
  sent_count: Generated<number>;
  failed_count: Generated<number>;
  skipped_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

/** One row a profile a campaign: the key is what keeps a second message from going out. */
export type CampaignRecipientsTable = {
  account_id: number;
  campaign_id: number;
  profile_id: number;
  phone: string;
  status: LedgerStatus;
  message_id: number | null;
  reason: string | null;
  changed_at: Date | null;
};

/** Changes of a campaign's counts that are not in its row yet. */
export type CampaignTalliesTable = {
  account_id: number;
  campaign_id: number;
  queued: number;
  sent: number;
  failed: number;
  skipped: number;
};

/** With the tallies added, the counts follow the ledger, as a campaign's do. */
export type FlowsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  name: string;
  message: string;
  conditions: Json<Condition[]>;
  duration: Json<FlowDuration>;
  frequency: Json<FlowFrequency>;
  is_active: boolean;
  waiting_for: WaitingReason | null;
  last_run_at: Date | null;
  /** When it runs by itself, or goes on with a run; null: never. */
  next_run_at: Date | null;
  /** Changed profiles do not bring the next run forward beyond this. */
  paced_until: Date;
  /** When waiting deliveries are handed on next; null while nothing waits, or what waits is held back. */
  next_feed_at: Date | null;
  /** Why the last search failed; null once one has succeeded. */
  last_error: string | null;
  /** How many searches in a row have failed. */
  failed_runs: Generated<number>;
  /** Guards up to this profile's have their phone's key; null: all have. */
  guards_keyed_until: ColumnType<number | null, number | null | undefined, number | null>;
  /** Profiles that have changed since are searched; null: all. */
  searched_until: Date | null;
  /** Up to when deliveries had been long enough ago at the last search, by the frequency. */
  searched_cutoff: Date | null;
  /** Who matched at this moment counts as having had the message; null once they have been noted, and without such a wish. */
  skip_before: Date | null;
  /** Waiting deliveries up to this one were given up when the flow was switched off, and are being deleted. */
  discard_until: number | null;
  waiting_count: Generated<number>;
  queued_count: Generated<number>;
  sent_count: Generated<number>;
  failed_count: Generated<number>;
  skipped_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

/**
 * When a profile last had a flow's message: the key is what keeps it from getting it twice within the frequency. It is
 * `infinity`, which the driver reads as a number, while one is on its way.
 */
export type FlowProfilesTable = {
  account_id: number;
  flow_id: number;
  profile_id: number;
  last_at: Date | number;
  /** The number's canonical form: a person who is deleted and added anew is the same. Null in rows of earlier versions. */
  phone_key: string | null;
};

/** Changes of a flow's counts that are not in its row yet. */
export type FlowTalliesTable = {
  account_id: number;
  flow_id: number;
  queued: number;
  sent: number;
  failed: number;
  skipped: Generated<number>;
};

export type FlowDeliveriesTable = {
  account_id: number;
  flow_id: number;
  id: Generated<number>;
  profile_id: number;
  project_id: number;
  phone: string;
  status: LedgerStatus;
  /** What was sent; null until it has been settled. */
  body: string | null;
  message_id: number | null;
  reason: string | null;
  created_at: Date;
  sent_at: Date | null;
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
  /** What the account's storage quota counts of it. */
  stored_bytes: Generated<number>;
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
  email_links: EmailLinksTable;
  sign_in_networks: SignInNetworksTable;
  security_events: SecurityEventsTable;
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
  payments: PaymentsTable;
  payment_events: PaymentEventsTable;
  subscription_notices: SubscriptionNoticesTable;
  test_orders: TestOrdersTable;
  projects: ProjectsTable;
  phones: PhonesTable;
  phone_leases: PhoneLeasesTable;
  connector_credentials: ConnectorCredentialsTable;
  connector_keys: ConnectorKeysTable;
  messages: MessagesTable;
  message_counts: MessageCountsTable;
  incoming_messages_seen: IncomingMessagesSeenTable;
  idempotency_keys: IdempotencyKeysTable;
  idempotent_requests: IdempotentRequestsTable;
  webhook_records: WebhookRecordsTable;
  profiles: ProfilesTable;
  profile_fields: ProfileFieldsTable;
  profile_field_deltas: ProfileFieldDeltasTable;
  /** The two added up: what is there now. */
  profile_field_totals: ProfileFieldsTable;
  profile_adoptions: ProfileAdoptionsTable;
  segments: SegmentsTable;
  campaigns: CampaignsTable;
  campaign_recipients: CampaignRecipientsTable;
  campaign_tallies: CampaignTalliesTable;
  flows: FlowsTable;
  flow_profiles: FlowProfilesTable;
  flow_deliveries: FlowDeliveriesTable;
  flow_tallies: FlowTalliesTable;
  profile_imports: ProfileImportsTable;
  profile_import_chunks: ProfileImportChunksTable;
  profile_import_numbers: ProfileImportNumbersTable;
};
