import type { AccessUntil } from '#server/platform/db/columns.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { SecurityEventType } from '#contracts/security-events.ts';

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
  /** Two letters: of numbers without a calling code; null: unknown. */
  default_country: string | null;
  /** Until when the subscription opens the product; `infinity` while it renews. Kept by billing alone. */
  access_until: AccessUntil;
  /** What the payment provider knows the account by. */
  payment_reference: Generated<string>;
  created_at: Generated<Date>;
  /** Null once the address is confirmed, or where none has to be. */
  email_unconfirmed_since: Date | null;
  /** Older messages and webhook records are deleted; null: they stay. */
  messages_kept_days: number | null;
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
  /** How often the same came again and was not written down anew. */
  repeats: Generated<number>;
  /** When it came for the last time; null where it came once. */
  last_at: Date | null;
};

export type SignInAttemptsTable = { key: string; failures: number; last_failed_at: Date };

export type AccountTables = {
  accounts: AccountsTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  sign_in_attempts: SignInAttemptsTable;
  email_links: EmailLinksTable;
  sign_in_networks: SignInNetworksTable;
  security_events: SecurityEventsTable;
};
