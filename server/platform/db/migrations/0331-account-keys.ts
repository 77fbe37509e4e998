import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table account_keys (
     id bigint generated always as identity primary key,
     account_id bigint not null references accounts on delete cascade,
     user_id bigint not null references accounts on delete cascade,
     name text not null,
     key_hash bytea not null,
     hint text not null,
     scopes text[] not null,
     addresses text[] not null,
     expires_at timestamptz,
     last_used_at timestamptz,
     created_at timestamptz not null
   )`,
  'create unique index account_keys_hash on account_keys (key_hash)',
  'create index account_keys_of_account on account_keys (account_id, id)',
  'create index account_keys_of_user on account_keys (user_id)',
  // Of each account's first key, apart from the account's row, which is busy.
  `create table api_key_uses (
     account_id bigint primary key references accounts on delete cascade,
     last_used_at timestamptz not null
   )`,
  // Streams that a key opened end with it.
  `create trigger announce_account_key after update of expires_at or delete on account_keys
     for each statement execute function announce_member()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
