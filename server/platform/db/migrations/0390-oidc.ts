import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table oidc_identities (
     issuer text not null,
     subject text not null,
     account_id bigint not null references accounts on delete cascade,
     linked_at timestamptz not null,
     primary key (issuer, subject)
   )`,
  // At one provider a person is one.
  'create unique index oidc_identities_of_person on oidc_identities (account_id, issuer)',
  `create table oidc_attempts (
     token_hash bytea primary key,
     bound_to bytea,
     expires_at timestamptz not null
   )`,
  'create index oidc_attempts_expiry on oidc_attempts (expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
