import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A session of before, or of the release before, has shown nothing: a sensitive act asks once.
  'alter table sessions add column confirmed_at timestamptz',

  `create table totp_factors (
     account_id bigint primary key references accounts on delete cascade,
     secret_sealed bytea not null,
     created_at timestamptz not null,
     confirmed_at timestamptz,
     last_step bigint
   )`,
  `create table recovery_codes (
     account_id bigint not null references accounts on delete cascade,
     code_hash bytea not null,
     primary key (account_id, code_hash)
   )`,
  `create table sign_in_challenges (
     token_hash bytea primary key,
     account_id bigint not null references accounts on delete cascade,
     expires_at timestamptz not null
   )`,
  'create index sign_in_challenges_of_account on sign_in_challenges (account_id, expires_at)',
  'create index sign_in_challenges_expiry on sign_in_challenges (expires_at)',
  `create table remembered_devices (
     token_hash bytea primary key,
     account_id bigint not null references accounts on delete cascade,
     expires_at timestamptz not null
   )`,
  'create index remembered_devices_of_account on remembered_devices (account_id, expires_at)',
  'create index remembered_devices_expiry on remembered_devices (expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
