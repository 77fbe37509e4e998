import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The changes that each statement made to the catalogue of fields. Append-only, so that concurrent changes to
  // profiles never wait for each other; readers add these rows to the catalogue, and a worker folds them into it. No
  // foreign key: an account that is deleted takes its profiles along, and their triggers append a last time.
  `create table profile_field_deltas (
     account_id bigint not null,
     id bigint generated always as identity,
     path text collate "C" not null,
     type text not null,
     profiles bigint not null,
     sample_profile_id bigint,
     primary key (account_id, path, type, id)
   )`,
  `create or replace function apply_profile_field_changes(changes profile_field_change[]) returns void language sql as $$
     insert into profile_field_deltas (account_id, path, type, profiles, sample_profile_id)
     select account_id, path, type, profiles, sample_profile_id from unnest(changes)
   $$`,
  `create view profile_field_totals as
     select account_id, path, type, sum(profiles)::bigint as profiles, max(sample_profile_id) as sample_profile_id
       from (select account_id, path, type, profiles, sample_profile_id from profile_fields
              union all
             select account_id, path, type, profiles, sample_profile_id from profile_field_deltas) as parts
      group by account_id, path, type
     having sum(profiles) > 0`,

  // Maps the forms in which a person's number is written in Brazil, Mexico and Argentina to a single key: a mobile with
  // the ninth digit (55 AA 9…), without the 1 (52 1…), without the 9 (54 9…). \`phoneKey\` says the same.
  `create function phone_key(phone text) returns text language sql immutable parallel safe return
     case when phone like '55%' and length(phone) = 12 and substr(phone, 5, 1) between '6' and '9'
            then substr(phone, 1, 4) || '9' || substr(phone, 5)
          when phone like '521%' and length(phone) = 13 then '52' || substr(phone, 4)
          when phone like '549%' and length(phone) = 13 then '54' || substr(phone, 4)
          else phone end collate "C"`,
  `alter table profiles add column is_twin boolean not null default false`,
  // When the number is given up, the next twin has the key.
  `create function settle_profile_twins() returns trigger language plpgsql as $$
   begin
     if not old.is_twin then
       update profiles set is_twin = false
        where account_id = old.account_id
          and id = (select min(id) from profiles
                     where account_id = old.account_id and phone_key(phone) = phone_key(old.phone) and is_twin);
     end if;
     return null;
   end $$`,
  `create function untwin_profile() returns trigger language plpgsql as $$
   begin
     new.is_twin := false;
     return new;
   end $$`,
  `create trigger profiles_twin_of_deleted after delete on profiles
     for each row execute function settle_profile_twins()`,
  `create trigger profiles_twin_of_changed after update of phone on profiles
     for each row when (phone_key(old.phone) <> phone_key(new.phone)) execute function settle_profile_twins()`,
  `create trigger profiles_no_twin_any_more before update of phone on profiles
     for each row when (old.is_twin and phone_key(old.phone) <> phone_key(new.phone)) execute function untwin_profile()`,

  // Profiles whose messages were too many to adopt at once.
  `create table profile_adoptions (
     account_id bigint not null,
     profile_id bigint not null,
     phone_key text collate "C" not null,
     primary key (account_id, profile_id),
     foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
   )`,

  // As before, in one pattern of few branches for what can only be a day that is there, and in full for the rest: each
  // use of a long pattern costs its reading.
  `create or replace function epoch_ms_of(value jsonb) returns numeric language plpgsql stable parallel safe cost 50 as $$
   declare
     given text := value #>> '{}';
   begin
     if jsonb_typeof(value) = 'number' then return given::numeric; end if;
     if jsonb_typeof(value) <> 'string' then return null; end if;
     if length(given) = 24 and given ~ '^[1-9]\\d\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d\\d\\dZ$' then
       return trunc(extract(epoch from given::timestamptz) * 1000);
     end if;
     if given ~ '^[0-9]{1,15}$' then return given::numeric; end if;
     if substr(given, 5, 1) <> '-' then return null; end if;
     if given !~ ('^('
         '[1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
         '|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)'
         '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$')
       then return null;
     end if;
     given := regexp_replace(given, '(\\.[0-9]{3})[0-9]+', '\\1');
     if given ~ '[T ].*(Z|[+-][0-9]{2}:?[0-9]{2})$' then
       return trunc(extract(epoch from given::timestamptz) * 1000);
     end if;
     return trunc(extract(epoch from given::timestamp at time zone 'UTC') * 1000);
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
