import type { Permission } from '#contracts/permissions.ts';
import type { AccessUntil } from '#server/platform/db/columns.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** An account, and the person of the same id: name, e-mail and password are theirs, and read as `users`. */
export type AccountsTable = {
  id: GeneratedAlways<number>;
  name: string;
  /** The account's own name; null: that of its founder. */
  account_name: string | null;
  /** The person's, BCP 47; null: unknown. */
  language: ColumnType<string | null, string | null | undefined, string | null>;
  /** As the person wrote it, trimmed. */
  email: string;
  /** Lower case: what uniqueness and sign-in compare. */
  email_key: string;
  password_hash: string;
  api_key_hash: Buffer;
  api_key_sealed: Buffer;
  /** The person who made the api_key, which may do what they may; null: the founder. */
  api_key_user_id: number | null;
  timezone: Generated<string>;
  /** Two letters: of numbers without a calling code; null: unknown. */
  default_country: string | null;
  /** Until when the subscription opens the product; `infinity` while it renews. Kept by billing alone. */
  access_until: AccessUntil;
  /** The account's id at the payment provider. */
  payment_reference: Generated<string>;
  created_at: Generated<Date>;
  /** Null once the address is confirmed, or where none has to be. */
  email_unconfirmed_since: Date | null;
  /** Older messages and webhook records are deleted; null: they stay. */
  messages_kept_days: number | null;
  /** By an operator; null: not suspended. `suspension_reason` is a sentence for its people. */
  suspended_at: Date | null;
  suspension_reason: string | null;
  /** Since when everybody in the account needs a second factor; null: nobody has to. */
  requires_two_factor_since: Date | null;
  /** As many projects as an operator lets it have; null: as many as its plan has. */
  project_limit: ColumnType<number | null, number | null | undefined, number | null>;
  /** An owner has asked for its deletion, which is due then. */
  deletes_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deletion_asked_by: ColumnType<number | null, number | null | undefined, number | null>;
  /** Nothing is left of it but its payments. */
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
};

/** `user_id` made it. */
export type AccountKeysTable = {
  id: GeneratedAlways<number>;
  account_id: number;
  user_id: number;
  name: string;
  key_hash: Buffer;
  /** How the key begins. */
  hint: string;
  scopes: Permission[];
  /** Addresses and networks (CIDR) from which alone it is taken; empty: from anywhere. */
  addresses: string[];
  expires_at: Date | null;
  /** To the minute. */
  last_used_at: Date | null;
  created_at: Date;
};

/** When the first key of an account was used last, to the minute. */
type ApiKeyUsesTable = { account_id: number; last_used_at: Date };

export type AccountTables = { accounts: AccountsTable; account_keys: AccountKeysTable; api_key_uses: ApiKeyUsesTable };
