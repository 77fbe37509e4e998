import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Null: there is nothing to confirm. Accounts from before this migration count as confirmed.
  `alter table accounts add column email_unconfirmed_since timestamptz`,
  `alter table sessions add column ip text`,
  `alter table sessions add column user_agent text`,

  // A link confirms the address it was sent to: the account's own, or the one that takes its place. Each account has at
  // most one.
  `create table email_links (
     account_id bigint primary key references accounts on delete cascade,
     token_hash bytea not null unique,
     email text not null,
     email_key text not null,
     expires_at timestamptz not null
   )`,

  // Where an account has signed in from: its owner goes before strangers there.
  `create table sign_in_networks (
     account_id bigint not null references accounts on delete cascade,
     network text not null,
     last_at timestamptz not null,
     primary key (account_id, network)
   )`,
  `create index on sign_in_networks (last_at)`,

  `create table security_events (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     type text not null,
     at timestamptz not null,
     ip text,
     user_agent text,
     detail text,
     primary key (account_id, id)
   )`,
  `create index on security_events (at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
