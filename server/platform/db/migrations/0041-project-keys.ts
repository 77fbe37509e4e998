import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table project_keys (
     account_id bigint not null,
     project_id bigint not null,
     id bigint generated always as identity,
     name text not null,
     key_hash bytea not null unique,
     hint text not null,
     scopes text[] not null,
     addresses text[] not null,
     expires_at timestamptz,
     last_used_at timestamptz,
     replaced_at timestamptz,
     created_at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `create index on project_keys (account_id, project_id)`,
  `alter table projects add column auth_key_used_at timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
