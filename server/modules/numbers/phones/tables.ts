import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { ConnectorName } from '#contracts/connectors.ts';
import type { CloudFacts, PhoneStatus } from '#contracts/phone-numbers.ts';
import type { OptionalJson } from '#server/platform/db/columns.ts';

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
  /** The state that the user asked for; the worker that holds the lease brings it about. */
  wanted: Generated<'offline' | 'linking' | 'online'>;
  /** A sign-out on the network is still owed. */
  sign_out_requested: Generated<boolean>;
  /** WhatsApp refuses this phone's messages for now (error 463). */
  restricted_until: Date | null;
  /** Where its proxy is, without user name and password; `proxy_sealed` is the whole address, encrypted. */
  proxy: string | null;
  proxy_sealed: Buffer | null;
  link_qr: string | null;
  link_expires_at: Date | null;
  pairing_requested: Generated<boolean>;
  pairing_code: string | null;
  /** The day `daily_count` counts, in the account's time zone, as YYYY-MM-DD. */
  count_day: string | null;
  /** When the day that `daily_count` counts is over, at the least: wherever the account has gone since. */
  count_ends_at: Date | null;
  daily_count: Generated<number>;
  message_count: Generated<number>;
  /** Grows with every message the phone takes: among equals the smallest is least recently used. */
  rotation_turn: Generated<number>;
  last_used_at: Date | null;
  created_at: Date;
  /** Calls are rejected at once; the caller gets the text, if there is any. */
  rejects_calls: Generated<boolean>;
  rejected_call_text: string | null;
};

/** The official API of a number; `sealed` is what its owner entered, `callback_sealed` the tokens of its webhook. */
export type CloudNumbersTable = {
  account_id: number;
  phone_id: number;
  phone_number_id: string;
  business_account_id: string;
  sealed: Buffer;
  /** Of the token in the callback URL. */
  callback_hash: Buffer;
  callback_sealed: Buffer;
  verified_at: Date | null;
  seen_at: Date | null;
  /** The last facts from Meta about the number, and their time. */
  facts: OptionalJson<CloudFacts>;
  facts_at: Date | null;
  /** When Meta took the request for what the Business app holds. */
  shared_asked_at: Date | null;
  /** The operator's app by which it signed up; null: an app of its owner's. */
  operator_app_id: string | null;
};

/** Until when a network that keeps windows takes free content to a contact; the key is as of conversations. */
export type ContactWindowsTable = { account_id: number; phone_id: number; contact_key: string; expires_at: Date };

/** Why Meta lets a number send nothing (`all`), or begin with nobody (`begin`); `until` null: nobody knows. */
export type NumberHoldsTable = {
  account_id: number;
  phone_id: number;
  source: string;
  scope: 'all' | 'begin';
  reason: string;
  began_at: Date;
  until: Date | null;
};

/** The number behind a user id of the official API, as a message brought both. */
export type ScopedUsersTable = { account_id: number; user_id: string; number: string; seen_at: Date };

/** People whom the numbers of a business account wrote to outside of their windows, when they did so last. */
export type PortfolioContactsTable = {
  account_id: number;
  business_account_id: string;
  contact_key: string;
  begun_at: Date;
};

/** Numbers to which Meta lets no more marketing go until then. */
export type MarketingCapsTable = { account_id: number; phone_key: string; until: Date };

/** Chats of before the last link, as far as they were taken over; `ended_at` null: the handset may share more. */
export type PhoneHistoriesTable = {
  account_id: number;
  phone_id: number;
  since: Date;
  begun_at: Date;
  changed_at: Date;
  ended_at: Date | null;
  percent: number | null;
  chats: number;
  messages: number;
  file_bytes: number;
  outcome: 'full' | 'incomplete' | null;
};

export type PhoneNumberTables = {
  phone_histories: PhoneHistoriesTable;
  phones: PhonesTable;
  cloud_numbers: CloudNumbersTable;
  scoped_users: ScopedUsersTable;
  contact_windows: ContactWindowsTable;
  number_holds: NumberHoldsTable;
  portfolio_contacts: PortfolioContactsTable;
  marketing_caps: MarketingCapsTable;
};

export type PhoneRow = Selectable<PhonesTable>;
