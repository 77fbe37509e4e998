import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { noWords, yesWords } from '#contracts/column-types.ts';
import { longestTypedText } from '#contracts/field-types.ts';

const listed = (words: readonly string[]) => `array[${words.map((word) => `'${word}'`).join(', ')}]`;

/** Keeps the typed values in step with a kind of statement, also of processes of the release before. */
const trigger = (operation: 'insert' | 'update' | 'delete', tables: string, body: string) => [
  `create function type_profiles_${operation}() returns trigger language plpgsql as $$
   begin
     ${body}
     return null;
   end $$`,
  `create trigger typed_${operation} after ${operation} on profiles referencing ${tables}
     for each statement execute function type_profiles_${operation}()`,
];

const columns = '(account_id, profile_id, field_id, place, number, day, text, is_readable)';
const changed = `new_rows n
       join old_rows o on o.account_id = n.account_id and o.id = n.id
       join typed_fields f on f.account_id = n.account_id and f.dropped_at is null
      where n.custom_fields is distinct from o.custom_fields
        and typed_value_at(n.custom_fields, f.keys) is distinct from typed_value_at(o.custom_fields, f.keys)`;

const statements = [
  // A field with a type, under an id of its own with each type: values that were read as another one are never met.
  // fills_from: the values are filled in once all transactions have ended that may not have seen the row.
  `create table typed_fields (
     account_id bigint not null references accounts (id) on delete cascade,
     id bigint generated always as identity,
     path text collate "C" not null,
     keys text[] not null,
     type text not null,
     fills_from xid8,
     filled_until bigint not null default 0,
     filled_at timestamptz,
     dropped_at timestamptz,
     primary key (account_id, id)
   )`,
  `create unique index typed_fields_path on typed_fields (account_id, path) where dropped_at is null`,
  `create index typed_fields_open on typed_fields (id) where filled_at is null or dropped_at is not null`,
  // A row for each member of a list. Without a foreign key, whose check would cost an import more than the value does.
  `create table typed_values (
     account_id bigint not null,
     profile_id bigint not null,
     field_id bigint not null,
     place int not null,
     number float8,
     day text collate "C",
     text text collate "C",
     is_readable boolean not null,
     primary key (account_id, profile_id, field_id, place)
   )`,
  `create index typed_values_by_number on typed_values (account_id, field_id, number, profile_id) where number is not null`,
  `create index typed_values_by_day on typed_values (account_id, field_id, day, profile_id) where day is not null`,
  `create index typed_values_by_moment on typed_values (account_id, field_id, profile_id)
     where number is not null and day is null`,
  `create index typed_values_by_text on typed_values (account_id, field_id, text, profile_id) where text is not null`,
  `create index typed_values_unread on typed_values (account_id, field_id, profile_id) where not is_readable`,

  // Through objects alone: unlike #> it never takes a key for a list's index.
  `create function typed_value_at(fields jsonb, keys text[]) returns jsonb
   language plpgsql immutable parallel safe as $$
   declare
     reached jsonb := fields;
     step text;
   begin
     foreach step in array keys loop
       reached := reached -> step;
     end loop;
     return reached;
   end $$`,
  // As the conditions on a field of the type read it; no row where nothing is there to be read.
  `create function typed_rows(given jsonb, wanted text)
     returns table (place int, number float8, day text, text text, is_readable boolean)
   language plpgsql stable parallel safe as $$
   declare
     kind text := jsonb_typeof(given);
     written text := given #>> '{}';
     read float8;
     texts text[];
     word text;
   begin
     if given is null or given in ('null', '""') then return; end if;
     if wanted in ('text', 'list') then
       texts := case when wanted = 'list' and kind = 'string'
                     then array(select folded_value(part) from regexp_split_to_table(written, '[,;|]') as parts (part))
                     else folded_texts(given) end;
       if cardinality(texts) = 0 then
         return query select 0, null::float8, null::text, null::text, not (wanted = 'list' and kind = 'object');
       else
         return query
           select (row_number() over ())::int - 1, null::float8, null::text, members.member, true
             from (select distinct left(each.word, ${longestTypedText}) as member from unnest(texts) as each (word)) as members;
       end if;
       return;
     end if;
     if wanted = 'number' then
       read := number_of(given);
     elsif wanted = 'date' then
       read := epoch_ms_of(given)::float8;
     elsif kind not in ('array', 'object') then
       word := (folded_texts(given))[1];
       read := case when word = any(${listed(yesWords)}) then 1 when word = any(${listed(noWords)}) then 0 end;
     end if;
     return query
       select 0, read,
              case when wanted = 'date' and read is not null and kind = 'string'
                        and written ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then substr(written, 6, 5) end,
              null::text, read is not null;
   end $$`,
  ...trigger(
    'insert',
    'new table as new_rows',
    `insert into typed_values ${columns}
     select n.account_id, n.id, f.id, r.place, r.number, r.day, r.text, r.is_readable
       from new_rows n join typed_fields f on f.account_id = n.account_id and f.dropped_at is null
      cross join lateral typed_rows(typed_value_at(n.custom_fields, f.keys), f.type) as r
         on conflict do nothing;`,
  ),
  ...trigger(
    'update',
    'old table as old_rows new table as new_rows',
    `if not exists (select from typed_fields
                     where account_id in (select account_id from new_rows) and dropped_at is null) then
       return null;
     end if;
     delete from typed_values v
      using (select n.account_id, n.id, f.id as field_id from ${changed}) as c
      where v.account_id = c.account_id and v.profile_id = c.id and v.field_id = c.field_id;
     insert into typed_values ${columns}
     select c.account_id, c.id, c.field_id, r.place, r.number, r.day, r.text, r.is_readable
       from (select n.account_id, n.id, f.id as field_id, f.type, typed_value_at(n.custom_fields, f.keys) as value
               from ${changed}) as c
      cross join lateral typed_rows(c.value, c.type) as r
         on conflict do nothing;`,
  ),
  ...trigger(
    'delete',
    'old table as old_rows',
    `delete from typed_values v using old_rows o where v.account_id = o.account_id and v.profile_id = o.id;`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
