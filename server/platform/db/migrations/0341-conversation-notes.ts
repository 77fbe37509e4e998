import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A note without an author was written with a key. The name stays where the person is gone.
  `create table conversation_notes (
     account_id bigint not null,
     id bigint generated always as identity,
     conversation_id bigint not null,
     author_id bigint,
     author_name text,
     text text not null,
     mentions bigint[] not null,
     created_at timestamptz not null,
     edited_at timestamptz,
     primary key (account_id, id),
     foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
   )`,
  `create index conversation_notes_of on conversation_notes (account_id, conversation_id, id)`,
  `create index conversation_notes_text on conversation_notes using gin (account_id, fold_text(text) gin_trgm_ops)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
