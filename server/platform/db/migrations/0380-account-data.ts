import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table account_exports (
     account_id bigint not null references accounts (id) on delete cascade,
     id bigint generated always as identity,
     status text not null,
     with_files boolean not null,
     started_by bigint,
     created_at timestamptz not null,
     worked_at timestamptz,
     finished_at timestamptz,
     expires_at timestamptz,
     attempts int not null default 0,
     done_units bigint not null default 0,
     total_units bigint not null default 0,
     size bigint,
     storage_key text,
     token_hash bytea,
     token_sealed bytea,
     error text,
     primary key (account_id, id)
   )`,
  'create unique index account_exports_by_token on account_exports (token_hash)',
  "create index account_exports_due on account_exports (created_at) where status in ('waiting', 'working')",

  'alter table accounts add column deletes_at timestamptz',
  'alter table accounts add column deletion_asked_by bigint',
  'alter table accounts add column deleted_at timestamptz',

  // An account's key to the fingerprints of numbers that were erased, and the fingerprints.
  `create table erasure_keys (
     account_id bigint primary key references accounts (id) on delete cascade,
     key_sealed bytea not null
   )`,
  `create table erased_numbers (
     account_id bigint not null references accounts (id) on delete cascade,
     fingerprint bytea not null,
     erased_at timestamptz not null,
     primary key (account_id, fingerprint)
   )`,

  // The functions below alone say that they delete for good; the setting ends with their transaction.
  `create or replace function keep_suppression_log() returns trigger language plpgsql as $$
   begin
     -- The account's deletion comes through its foreign key, one trigger deeper.
     if tg_op = 'DELETE' and (pg_trigger_depth() > 1 or current_setting('dovepost.erasing', true) = 'on') then
       return old;
     end if;
     raise exception 'the log of opt-outs is only appended to';
   end $$`,

  // The application's role may not delete rows of the audit log: of an account that is to be deleted this function does,
  // as of all other tables, those included that come later. Rows go before those that they refer to, so that
  // no cascade is larger than a slice.
  `create function delete_rows_of_account(account bigint, kept text[], most int) returns int
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     part record;
     removed int;
   begin
     if not exists (select from accounts where id = account and deletes_at is not null) then
       raise exception 'account % is not to be deleted', account;
     end if;
     perform set_config('dovepost.erasing', 'on', true);
     for part in
       with recursive owned as (
         select c.oid, coalesce((select i.inhparent from pg_inherits i where i.inhrelid = c.oid), c.oid) as root
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       ), referred (oid, depth) as (
         select distinct root, 0 from owned
         union
         select f.confrelid, r.depth + 1 from referred r
           join pg_constraint f on f.conrelid = r.oid and f.contype = 'f' and f.confrelid <> f.conrelid
          where r.depth < 12
       )
       select o.oid::regclass as name from owned o join referred r on r.oid = o.root
        where o.root::regclass::text <> all (kept)
        group by o.oid order by max(r.depth), o.oid
     loop
       execute format('delete from %s where ctid = any (array(select ctid from %1$s where account_id = $1 limit $2))',
                      part.name) using account, most;
       get diagnostics removed = row_count;
       if removed > 0 then return removed; end if;
     end loop;
     return 0;
   end $$`,

  // Of a person who is forgotten, names and numbers in the audit log give way to a fingerprint, and logs and counts by
  // person lose what they have of the numbers, which are given in all their forms, and of the profile.
  `create function erase_from_logs(account bigint, profile bigint, names text[], numbers text[], replacement text)
   returns void language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     keys text[] := array(select distinct phone_key(x) from unnest(numbers) x);
   begin
     update audit_events set target_name = replacement
      where account_id = account and target_name = any (names)
        and target_type in ('profile', 'contact', 'suppression', 'conversation', 'message');
     perform set_config('dovepost.erasing', 'on', true);
     delete from suppression_log where account_id = account and phone_key = any (keys);
     delete from topic_consent_log where account_id = account and phone_key = any (keys);
     delete from topic_consents where account_id = account and phone_key = any (keys);
     delete from kept_contacts where account_id = account and phone_key = any (keys);
     delete from cap_reservations where account_id = account and phone_key = any (keys);
     delete from cap_numbers where account_id = account and phone_key = any (keys);
     delete from engagements where account_id = account and profile_id = profile;
     delete from event_keys where account_id = account and profile_id = profile;
     perform set_config('dovepost.erasing', 'off', true);
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
