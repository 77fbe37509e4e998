import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Which messages to many were answered with a word that opts out, and when first.
  `create table message_opt_outs (
     account_id bigint not null references accounts (id) on delete cascade,
     message_id bigint not null,
     source text not null,
     source_id bigint not null,
     opted_out_at timestamptz not null,
     primary key (account_id, message_id)
   )`,
  `create index message_opt_outs_of_source on message_opt_outs (account_id, source, source_id)`,
  `insert into message_opt_outs (account_id, message_id, source, source_id, opted_out_at)
   select w.account_id, w.message_id, w.source, w.source_id, w.opted_out_at
     from last_writes w join accounts on accounts.id = w.account_id
    where w.opted_out_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
