import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

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
  /** Each once, in the order of their letters. */
  tags: Generated<string[]>;
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
  /** A profile that had the field, unless it has changed since. */
  sample_profile_id: number;
};

/** Changes to `profile_fields` that are not folded into it yet. */
export type ProfileFieldDeltasTable = Omit<ProfileFieldsTable, 'sample_profile_id'> & {
  id: GeneratedAlways<number>;
  sample_profile_id: number | null;
};

/** The rest of a profile; without a row, nothing of it is known. */
export type ProfileFactsTable = {
  account_id: number;
  profile_id: number;
  /** BCP 47. */
  language: string | null;
  /** IANA. */
  timezone: string | null;
  /** Of the caller's own system. */
  external_id: string | null;
};

export type ProfileTables = {
  profiles: ProfilesTable;
  profile_facts: ProfileFactsTable;
  profile_fields: ProfileFieldsTable;
  profile_field_deltas: ProfileFieldDeltasTable;
  /** The two added up: what is there now. */
  profile_field_totals: ProfileFieldsTable;
};
