import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // In small letters a text is looked through at several times the speed of ILIKE, which folds each one anew.
  `create or replace function keep_message_texts() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body)
     select account_id, id, lower(body) from new_rows where body <> ''
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  `create or replace function change_message_text() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body) values (new.account_id, new.id, lower(new.body))
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  // Texts that are stored unfolded are processed again, step by step.
  `insert into message_text_backfill (account_id) select id from accounts
     on conflict (account_id) do update set before_id = null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
