import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A single row of an account, which is locked to store its events, so that they are numbered in the order of their commits.
  `create table event_accounts (
     account_id bigint primary key references accounts (id) on delete cascade,
     bytes bigint not null default 0,
     names int not null default 0,
     erased_until timestamptz
   )`,
  `create table event_names (
     account_id bigint not null references accounts (id) on delete cascade,
     id bigint generated always as identity,
     name text collate "C" not null,
     first_at timestamptz not null,
     last_at timestamptz not null,
     total bigint not null default 0,
     primary key (account_id, id)
   )`,
  `create unique index event_names_name on event_names (account_id, name)`,
  `create table events (
     account_id bigint not null,
     id bigint not null default next_record_id(),
     profile_id bigint not null,
     name_id bigint not null,
     at timestamptz not null,
     received_at timestamptz not null,
     message_id text collate "C",
     properties jsonb not null,
     bytes int not null,
     primary key (account_id, id),
     foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
   ) partition by range (id)`,
  `create index events_by_time on events (account_id, at desc, id desc)`,
  `create index events_of_name on events (account_id, name_id, at desc, id desc)`,
  `create index events_of_profile on events (account_id, profile_id, at desc, id desc)`,
  // Counts by day (UTC), which outlive the events.
  `create table event_days (
     account_id bigint not null,
     name_id bigint not null,
     profile_id bigint not null,
     day date not null,
     n int not null,
     primary key (account_id, name_id, profile_id, day),
     foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
   ) with (fillfactor = 80)`,
  `create index event_days_of_profile on event_days (account_id, profile_id)`,
  `create table event_hours (
     account_id bigint not null references accounts (id) on delete cascade,
     name_id bigint not null,
     hour timestamptz not null,
     n int not null,
     primary key (account_id, name_id, hour)
   ) with (fillfactor = 80)`,
  // Uniqueness that outlives a month's partition.
  `create table event_keys (
     account_id bigint not null references accounts (id) on delete cascade,
     message_id text collate "C" not null,
     event_id bigint not null,
     profile_id bigint not null,
     stored_at timestamptz not null,
     primary key (account_id, message_id)
   )`,
  `create index event_keys_old on event_keys (stored_at)`,

  `create or replace function ensure_month_partitions(parent text, from_month date, months int) returns void
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     month date;
     next_month date;
     partition text;
   begin
     if parent not in ('messages', 'webhook_records', 'events') then
       raise exception '% has no partitions', parent;
     end if;
     for step in 0 .. months - 1 loop
       month := (date_trunc('month', from_month) + make_interval(months => step))::date;
       next_month := (month + interval '1 month')::date;
       partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
       if to_regclass(partition) is null then
         execute format('create table %I partition of %I for values from (%s) to (%s)', partition, parent,
           record_id_at(month::timestamp at time zone 'UTC'), record_id_at(next_month::timestamp at time zone 'UTC'));
       end if;
     end loop;
   end $$`,
  `create or replace function drop_months_before(parent text, day date) returns text[]
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     partition text;
     dropped text[] := '{}';
   begin
     if parent not in ('messages', 'webhook_records', 'events') then
       raise exception '% has no partitions', parent;
     end if;
     for partition in
       select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_[0-9]{4}_[0-9]{2}$')
          and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month')::date <= day
        order by 1
     loop
       execute format('drop table %I', partition);
       dropped := dropped || partition;
     end loop;
     return dropped;
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
