import type { Generated, GeneratedAlways } from 'kysely';
import type { SuppressionEvidence, SuppressionSource } from '#contracts/suppressions.ts';
import type { OptionalJson } from '#server/platform/db/columns.ts';

/** Opted-out numbers, by their key. */
export type SuppressionsTable = {
  account_id: number;
  phone_key: string;
  id: GeneratedAlways<number>;
  /** The form of the number that opted out. */
  phone: string;
  opted_out_at: Date;
  source: SuppressionSource;
  evidence: OptionalJson<SuppressionEvidence>;
  note: string | null;
};

/** The last word of people to WhatsApp about marketing; `id` carries its time, as those of messages do. */
export type MarketingStopsTable = {
  account_id: number;
  phone_key: string;
  id: Generated<number>;
  phone: string;
  is_stopped: boolean;
  said_at: Date;
};

export type SuppressionLogTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  phone_key: string;
  phone: string;
  action: 'opted_out' | 'opted_in';
  source: SuppressionSource;
  evidence: OptionalJson<SuppressionEvidence>;
  /** Of an opt-in: its reason. */
  note: string | null;
  at: Date;
};

/** Null is the default. */
export type OptOutSettingsTable = {
  account_id: number;
  recognizes_replies: Generated<boolean>;
  opt_out_words: string[] | null;
  opt_in_words: string[] | null;
  confirms_opt_out: Generated<boolean>;
  opt_out_text: string | null;
  confirms_opt_in: Generated<boolean>;
  opt_in_text: string | null;
};

export type OptOutConfirmationsTable = {
  account_id: number;
  phone_key: string;
  action: 'opted_out' | 'opted_in';
  at: Date;
};

/** The key to an account's fingerprints, sealed. */
export type ErasureKeysTable = { account_id: number; key_sealed: Buffer };

/** Numbers of people who were erased, as keyed hashes: nobody reads a number from one. */
export type ErasedNumbersTable = { account_id: number; fingerprint: Buffer; erased_at: Date };

export type SuppressionTables = {
  erasure_keys: ErasureKeysTable;
  erased_numbers: ErasedNumbersTable;
  suppressions: SuppressionsTable;
  marketing_stops: MarketingStopsTable;
  suppression_log: SuppressionLogTable;
  opt_out_settings: OptOutSettingsTable;
  opt_out_confirmations: OptOutConfirmationsTable;
};
