import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table saved_templates (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     name text not null,
     message text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create unique index saved_templates_by_name on saved_templates (account_id, lower(name))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
