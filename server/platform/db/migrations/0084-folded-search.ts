import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Small letters without accents, and plain ones for those that Unicode does not take apart (đ, ł, ø, ß): every search
  // folds by it, with what PostgreSQL has itself. Plain ASCII takes the short way.
  `create function fold_text(given text) returns text language sql immutable parallel safe return
     case when octet_length(given) = length(given) then lower(given)
          else replace(replace(replace(translate(
                 lower(regexp_replace(normalize(given, NFD), '[\\u0300-\\u036f]', '', 'g')), 'đðøłħŧı', 'ddolhti'),
               'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end`,
  // Like profile_search_text, whose index the last release reads.
  `create function profile_folded_text(name text, email text, phone text) returns text
     language sql immutable parallel safe
     return E'\\n' || fold_text(coalesce(name, '')) || E'\\n' || fold_text(coalesce(email, '')) || E'\\n' || phone`,
  `create or replace function keep_message_texts() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body)
     select account_id, id, fold_text(body) from new_rows where body <> ''
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  `create or replace function change_message_text() returns trigger language plpgsql as $$
   begin
     insert into message_texts (account_id, message_id, body) values (new.account_id, new.id, fold_text(new.body))
     on conflict (account_id, message_id) do update set body = excluded.body;
     return null;
   end $$`,
  // Texts that are kept with their accents are gone through again, step by step.
  `insert into message_text_backfill (account_id) select id from accounts
     on conflict (account_id) do update set before_id = null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
