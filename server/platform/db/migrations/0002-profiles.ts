import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Both are trusted extensions: whoever may create tables in the database may create them.
  `create extension if not exists pg_trgm`,
  `create extension if not exists btree_gin`,

  `create table profiles (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     phone text collate "C" not null,
     phone_given text not null,
     country_code text,
     calling_code text,
     national_number text not null,
     phone_is_valid boolean not null,
     name text,
     email text,
     custom_fields jsonb,
     status text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create unique index profiles_by_phone on profiles (account_id, phone)`,
  `create index profiles_by_name on profiles (account_id, lower(name), id)`,
  `create index profiles_by_email on profiles (account_id, email) where email is not null`,
  `create index profiles_by_status on profiles (account_id, status)`,
  `create index profiles_by_country on profiles (account_id, country_code) where country_code is not null`,
  `create index profiles_invalid on profiles (account_id, id) where not phone_is_valid`,
  `create index profiles_by_creation on profiles (account_id, created_at)`,
  `create index profiles_by_update on profiles (account_id, updated_at)`,

  // A jsonb_path_ops entry is the hash of a path and its value. With the account's id as the outermost key a search
  // meets that account's entries alone, and needs no second list of all its profiles to compare with.
  `create function account_custom_fields(account_id bigint, custom_fields jsonb) returns jsonb
     language sql immutable parallel safe
     return jsonb_set('{}'::jsonb, array[account_id::text], custom_fields)`,
  `create index profiles_by_custom_field on profiles
     using gin (account_custom_fields(account_id, custom_fields) jsonb_path_ops) with (gin_pending_list_limit = 256)`,

  // A field begins on a line of its own, so that one index finds both parts of fields and how they begin.
  `create function profile_search_text(name text, email text, phone text) returns text
     language sql immutable parallel safe
     return E'\\n' || lower(coalesce(name, '')) || E'\\n' || lower(coalesce(email, '')) || E'\\n' || phone`,
  `create index profiles_by_text on profiles
     using gin (account_id, profile_search_text(name, email, phone) gin_trgm_ops) with (gin_pending_list_limit = 512)`,

  // The value read as a time, in milliseconds since 1970: ISO 8601 text (without a zone it is UTC), or the milliseconds
  // as a number or as digits. Null for everything else. The pattern takes only what the cast can read.
  `create function epoch_ms_of(value jsonb) returns numeric language sql stable parallel safe return
     case jsonb_typeof(value)
       when 'number' then (value #>> '{}')::numeric
       when 'string' then case
         when (value #>> '{}') ~ '^[0-9]{1,15}$' then (value #>> '{}')::numeric
         when (value #>> '{}') ~ ('^('
             '[1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
             '|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)'
             '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$')
           then trunc(extract(epoch from
             case when (value #>> '{}') ~ '(Z|[+-][0-9]{2}:?[0-9]{2})$' and (value #>> '{}') ~ '[T ]'
               then regexp_replace(value #>> '{}', '(\\.[0-9]{3})[0-9]+', '\\1')::timestamptz
               else regexp_replace(value #>> '{}', '(\\.[0-9]{3})[0-9]+', '\\1')::timestamp at time zone 'UTC'
             end) * 1000)
         end
     end`,

  // Which field paths the profiles of an account have, and how many have each: kept by the triggers below.
  `create table profile_fields (
     account_id bigint not null references accounts on delete cascade,
     path text collate "C" not null,
     type text not null,
     profiles bigint not null,
     sample_profile_id bigint not null,
     primary key (account_id, path, type)
   ) with (fillfactor = 50)`,
  `create function profile_field_type(value jsonb) returns text language sql immutable parallel safe return
     case when value = '""'::jsonb then 'empty' else jsonb_typeof(value) end`,
  `create function escape_field_key(key text) returns text language sql immutable parallel safe return
     replace(replace(key, E'\\\\', E'\\\\\\\\'), '.', E'\\\\.')`,

  `create type profile_field_change as (account_id bigint, path text, type text, profiles bigint, sample_profile_id bigint)`,
  // Adds a statement's changes to the number of profiles that have each path. The lock comes before any row of the
  // catalogue, so that two transactions which change it in several steps never wait for each other.
  `create function apply_profile_field_changes(changes profile_field_change[]) returns void language plpgsql as $$
   begin
     if changes is null then return; end if;
     perform pg_advisory_xact_lock(hashtextextended('profile_fields', account_id))
       from (select distinct account_id from unnest(changes) order by account_id) as touched;
     update profile_fields f
        set profiles = f.profiles + c.profiles
       from unnest(changes) c
      where c.profiles < 0 and f.account_id = c.account_id and f.path = c.path and f.type = c.type;
     delete from profile_fields f
      using unnest(changes) c
      where c.profiles < 0 and f.account_id = c.account_id and f.path = c.path and f.type = c.type and f.profiles <= 0;
     insert into profile_fields as f (account_id, path, type, profiles, sample_profile_id)
     select c.account_id, c.path, c.type, c.profiles, c.sample_profile_id from unnest(changes) c where c.profiles > 0
     on conflict (account_id, path, type) do update
       set profiles = f.profiles + excluded.profiles, sample_profile_id = excluded.sample_profile_id;
   end $$`,
  ...(['insert', 'update', 'delete'] as const).flatMap(catalogueTrigger),

  `alter table messages add column profile_id bigint`,
  `create index messages_of_profile on messages (account_id, profile_id, id desc) where profile_id is not null`,

  `create table segments (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     name text not null,
     field_path text not null,
     operator text not null,
     value text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (account_id, id)
   )`,

  `create table profile_imports (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     file_name text,
     status text not null,
     columns jsonb not null,
     fields jsonb not null,
     country_code text,
     total_rows int not null default 0,
     chunk_count int not null default 0,
     next_chunk int not null default 0,
     processed_rows int not null default 0,
     new_rows int not null default 0,
     updated_rows int not null default 0,
     skipped_rows int not null default 0,
     invalid_rows int not null default 0,
     error text,
     created_at timestamptz not null,
     worked_at timestamptz not null,
     finished_at timestamptz,
     primary key (account_id, id)
   ) with (fillfactor = 70)`,
  `create index profile_imports_under_way on profile_imports (worked_at) where status in ('checking', 'importing')`,
  // The file's rows as JSON text, some hundreds together, and what became of each.
  `create table profile_import_chunks (
     account_id bigint not null,
     import_id bigint not null,
     number int not null,
     first_row int not null,
     row_count int not null,
     rows text not null,
     outcomes text,
     new_rows int not null default 0,
     updated_rows int not null default 0,
     skipped_rows int not null default 0,
     invalid_rows int not null default 0,
     primary key (account_id, import_id, number),
     foreign key (account_id, import_id) references profile_imports (account_id, id) on delete cascade
   )`,
  // The first row of a file that has a number is the one that counts.
  `create table profile_import_numbers (
     account_id bigint not null,
     import_id bigint not null,
     phone text collate "C" not null,
     row int not null,
     primary key (account_id, import_id, phone),
     foreign key (account_id, import_id) references profile_imports (account_id, id) on delete cascade
   )`,
];

/** The trigger that keeps the catalogue of field paths with one kind of statement. */
function catalogueTrigger(operation: 'insert' | 'update' | 'delete'): string[] {
  const added = `select account_id, id, name, email, country_code, custom_fields, 1 as delta from new_rows`;
  const removed = `select account_id, id, name, email, country_code, custom_fields, -1 as delta from old_rows`;
  const changed = `select n.account_id, n.id, v.name, v.email, v.country_code, v.custom_fields, v.delta
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
           cross join lateral (values (n.name, n.email, n.country_code, n.custom_fields, 1),
                                      (o.name, o.email, o.country_code, o.custom_fields, -1))
             as v (name, email, country_code, custom_fields, delta)
     where (n.name, n.email, n.country_code, n.custom_fields) is distinct from
           (o.name, o.email, o.country_code, o.custom_fields)`;
  const source = { insert: added, delete: removed, update: changed }[operation];
  const tables = {
    insert: 'new table as new_rows',
    delete: 'old table as old_rows',
    update: 'old table as old_rows new table as new_rows',
  }[operation];
  return [
    `create function catalogue_profile_${operation}() returns trigger language plpgsql as $$
     begin
       perform apply_profile_field_changes(array_agg((account_id, path, type, profiles, sample)::profile_field_change))
         from (
           with recursive source as materialized (${source}),
           node as (
             select account_id, id, delta, 'custom_fields.' || escape_field_key(key) as path, value
               from source cross join lateral jsonb_each(custom_fields)
             union all
             select account_id, id, delta, path || '.' || escape_field_key(inner_key), inner_value
               from node cross join lateral jsonb_each(case when jsonb_typeof(value) = 'object' then value else '{}' end)
                 as each (inner_key, inner_value)
           ),
           field as (
             select account_id, id, delta, path, profile_field_type(value) as type from node
             union all
             select account_id, id, delta, path, 'string'
               from source cross join lateral (values ('phone', 'always'), ('name', name), ('email', email),
                                                      ('country_code', country_code)) as part (path, value)
              where part.value <> ''
           )
           select account_id, path, type, sum(delta) as profiles, max(id) filter (where delta = 1) as sample
             from field group by account_id, path, type having sum(delta) <> 0 order by account_id, path, type
         ) as change;
       return null;
     end $$`,
    `create trigger catalogue_${operation} after ${operation} on profiles referencing ${tables}
       for each statement execute function catalogue_profile_${operation}()`,
  ];
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
