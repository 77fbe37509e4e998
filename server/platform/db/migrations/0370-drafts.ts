import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create sequence draft_revisions`,
  // The content is JSON as text: it is read as a whole alone, and is to come back as it was typed.
  `create table drafts (
     account_id bigint not null references accounts on delete cascade,
     user_id bigint not null references accounts on delete cascade,
     kind text not null,
     key text not null,
     content text not null,
     revision bigint not null,
     updated_at timestamptz not null,
     primary key (account_id, user_id, kind, key)
   )`,
  `create index drafts_of_user on drafts (user_id)`,
  `create index drafts_age on drafts (updated_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
