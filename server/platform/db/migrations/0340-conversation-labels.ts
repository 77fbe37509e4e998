import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table conversation_labels (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     name text not null,
     color text not null,
     created_at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create unique index conversation_labels_names on conversation_labels (account_id, lower(name))`,
  // Ids of labels: those of labels that are gone mean nothing, so that a label is deleted without a write to each.
  `alter table conversations add column label_ids bigint[] not null default '{}'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
