import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Which of the messages to many were answered: `last_writes` forgets it with the next thing that writes.
  `create table message_answers (
     account_id bigint not null references accounts (id) on delete cascade,
     message_id bigint not null,
     source text not null,
     source_id bigint not null,
     answered_at timestamptz not null,
     primary key (account_id, message_id)
   )`,
  `create index message_answers_of_source on message_answers (account_id, source, source_id)`,
  `insert into message_answers (account_id, message_id, source, source_id, answered_at)
   select w.account_id, w.message_id, w.source, w.source_id, w.replied_at
     from last_writes w join accounts on accounts.id = w.account_id
    where w.replied_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
