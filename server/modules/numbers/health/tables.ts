import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Json, OptionalJson } from '#server/platform/db/columns.ts';
import type { PhoneHealthCode, PhoneHealthState, PhoneLogKind } from '#contracts/phone-health.ts';

/** A row for each phone that keeps a pace; a phone without one sends as fast as it can. */
export type PhoneHealthTable = {
  account_id: number;
  phone_id: number;
  is_protected: Generated<boolean>;
  has_quiet_hours: Generated<boolean>;
  is_older_account: Generated<boolean>;
  /** The rest of `PhoneHealth`, as `stored-health.ts` reads it. */
  facts: Json<unknown>;
  /** Until when the network takes nothing of it to first contacts, and nothing at all. */
  first_stopped_until: Date | null;
  all_stopped_until: Date | null;
  refused_at: Date | null;
  canary_sent_at: Date | null;
  state: Generated<PhoneHealthState>;
  code: PhoneHealthCode | null;
  until: Date | null;
  state_since: Date;
};

/** People who have written to a phone, or to whom the network did not let it write. */
export type PhoneContactsTable = {
  account_id: number;
  phone_id: number;
  phone_key: string;
  wrote_at: Date | null;
  refused_at: Date | null;
};

/** Recent sends of a phone, from which its pace and its health are computed. */
export type PhoneSendsTable = {
  account_id: number;
  phone_id: number;
  message_id: number;
  phone_key: string;
  contact: 'first' | 'known';
  /** False: it never reached the network. */
  is_counted: Generated<boolean>;
  /** When it was claimed for sending. */
  at: Date;
  /** How long the phone pauses after it: for first contacts, and for anybody. */
  first_gap_ms: Generated<number>;
  gap_ms: Generated<number>;
  accepted_at: Date | null;
  delivered_at: Date | null;
  answered_at: Date | null;
  /** The recipient opted out in answer to it. */
  opted_out_at: Date | null;
};

/** Signals from the network about a phone, and their consequences, for its owner to read. */
export type PhoneSignalsTable = {
  account_id: number;
  phone_id: number;
  id: GeneratedAlways<number>;
  at: Date;
  kind: PhoneLogKind;
  number: string | null;
  until: Date | null;
  detail: ColumnType<Record<string, unknown>, string | undefined, string>;
};

/** Numbers that were found not to be on WhatsApp. */
export type NumbersOffWhatsAppTable = {
  account_id: number;
  phone_key: string;
  found_at: Date;
};

/** Numbers whose phone was deleted; `health` is the row of its phone. */
export type KeptNumbersTable = {
  account_id: number;
  number: string;
  kept_at: Date;
  health: OptionalJson<Record<string, unknown>>;
};

/** People who had written to such a number, or whom it may not write to first. */
export type KeptContactsTable = {
  account_id: number;
  number: string;
  phone_key: string;
  wrote_at: Date | null;
  refused_at: Date | null;
};

export type PhoneHealthTables = {
  kept_numbers: KeptNumbersTable;
  kept_contacts: KeptContactsTable;
  numbers_off_whatsapp: NumbersOffWhatsAppTable;
  phone_health: PhoneHealthTable;
  phone_contacts: PhoneContactsTable;
  phone_sends: PhoneSendsTable;
  phone_signals: PhoneSignalsTable;
};
