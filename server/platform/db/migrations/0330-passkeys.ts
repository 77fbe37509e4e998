import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table passkeys (
     id bigint generated always as identity primary key,
     account_id bigint not null references accounts on delete cascade,
     credential_id bytea not null,
     public_key bytea not null,
     counter bigint not null,
     transports text[] not null,
     is_synced boolean not null,
     name text not null,
     created_at timestamptz not null,
     last_used_at timestamptz
   )`,
  'create unique index passkeys_credential on passkeys (credential_id)',
  'create index passkeys_of_account on passkeys (account_id)',
  `create table passkey_challenges (
     challenge_hash bytea primary key,
     purpose text not null,
     bound_to bytea,
     expires_at timestamptz not null
   )`,
  'create index passkey_challenges_expiry on passkey_challenges (expires_at)',
  // Since when everybody in the account needs a second factor; null: nobody has to.
  'alter table accounts add column requires_two_factor_since timestamptz',
  // Open pages of members who lack a factor end: with the account's demand, and with the last factor.
  `create function announce_demand() returns trigger language plpgsql as $$
   begin
     if old.requires_two_factor_since is distinct from new.requires_two_factor_since then
       perform pg_notify('dovepost_credentials', '');
     end if;
     return null;
   end $$`,
  `create trigger announce_demand after update of requires_two_factor_since on accounts
     for each row execute function announce_demand()`,
  `create trigger announce_factor after delete on totp_factors for each statement execute function announce_member()`,
  `create trigger announce_factor after delete on passkeys for each statement execute function announce_member()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
