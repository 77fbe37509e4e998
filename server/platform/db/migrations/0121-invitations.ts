import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Null: the founder's name.
  `alter table accounts add column account_name text`,
  `create table invitations (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     email text not null,
     email_key text not null,
     role text not null,
     project_ids bigint[],
     token_hash bytea not null unique,
     invited_by bigint not null references accounts on delete cascade,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     primary key (account_id, id),
     unique (account_id, email_key)
   )`,
  `create index on invitations (invited_by)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
