import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Mails that a mail server has not taken yet; each goes once it has, or once the link in it has run out.
  `create table mails (
     id text primary key,
     sealed bytea not null,
     attempts int not null,
     next_attempt_at timestamptz not null,
     expires_at timestamptz not null,
     created_at timestamptz not null
   )`,
  `create index on mails (next_attempt_at)`,
  `create index on mails (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
