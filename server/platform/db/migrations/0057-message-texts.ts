import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The texts of messages for search, apart from the messages: their rows change with every status, and an index of all
  // parts of a text would be written anew each time.
  `create table message_texts (
     account_id bigint not null,
     message_id bigint not null,
     body text not null,
     primary key (account_id, message_id)
   )`,
  `create index message_texts_by_part on message_texts
     using gin (account_id, body gin_trgm_ops) with (gin_pending_list_limit = 1024)`,
  // Rows come in the order of their ids: what has gone with its month is found without reading the rest.
  `create index message_texts_by_age on message_texts using brin (message_id)`,

  `create function keep_message_texts() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body)
     select account_id, id, body from new_rows where body <> ''
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  `create function change_message_text() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body) values (new.account_id, new.id, new.body)
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  `create function remove_message_texts() returns trigger language plpgsql as $$
   begin
     delete from message_texts t using old_rows o where t.account_id = o.account_id and t.message_id = o.id;
     return null;
   end $$`,
  `create trigger messages_text_kept after insert on messages referencing new table as new_rows
     for each statement execute function keep_message_texts()`,
  `create trigger messages_text_changed after update of body on messages
     for each row when (old.body is distinct from new.body) execute function change_message_text()`,
  `create trigger messages_text_removed after delete on messages referencing old table as old_rows
     for each statement execute function remove_message_texts()`,

  // Accounts whose messages from before are still to be gone through, backwards from this id; null: from the latest.
  `create table message_text_backfill (
     account_id bigint primary key references accounts on delete cascade,
     before_id bigint
   )`,
  `insert into message_text_backfill (account_id) select id from accounts`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
