import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A new table gets the default rights of the application's role: of those on the log, reading and adding stay.
  `create or replace function ensure_month_partitions(parent text, from_month date, months int) returns void
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     month date;
     next_month date;
     partition text;
     relation regclass;
     holder oid;
   begin
     if parent not in ('messages', 'webhook_records', 'events', 'audit_events') then
       raise exception '% has no partitions', parent;
     end if;
     for step in 0 .. months - 1 loop
       month := (date_trunc('month', from_month) + make_interval(months => step))::date;
       next_month := (month + interval '1 month')::date;
       partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
       if to_regclass(partition) is null then
         execute format('create table %I partition of %I for values from (%s) to (%s)', partition, parent,
           record_id_at(month::timestamp at time zone 'UTC'), record_id_at(next_month::timestamp at time zone 'UTC'));
         if parent = 'audit_events' then
           for relation, holder in
             select distinct c.oid::regclass, a.grantee from pg_class c cross join aclexplode(c.relacl) a
              where c.oid in (to_regclass(parent), to_regclass(partition)) and a.grantee <> c.relowner
           loop
             execute format('revoke update, delete, truncate on %s from %s', relation,
               case when holder = 0 then 'public' else holder::regrole::text end);
           end loop;
         end if;
       end if;
     end loop;
   end $$`,

  // The application's role calls it: of the log no day that it names makes a younger month go.
  `create or replace function drop_months_before(parent text, day date) returns text[]
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     partition text;
     dropped text[] := '{}';
   begin
     if parent not in ('messages', 'webhook_records', 'events', 'audit_events') then
       raise exception '% has no partitions', parent;
     end if;
     if parent = 'audit_events' then
       day := least(day, (now() at time zone 'UTC' - interval '400 days')::date);
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

  'alter table audit_events rename to audit_rows',
  `create table audit_events (
     account_id bigint not null,
     id bigint not null default next_record_id(),
     created_at timestamptz not null,
     actor_type text not null,
     actor_id bigint,
     actor_name text not null,
     action text not null,
     target_type text not null,
     target_id bigint,
     target_name text,
     changes jsonb not null,
     address text,
     program text,
     request_id text
   ) partition by range (id)`,
  `select ensure_month_partitions('audit_events', first::date,
            (extract(year from age(last, first)) * 12 + extract(month from age(last, first)))::int + 3)
     from (select date_trunc('month', least(min(created_at), now()) at time zone 'UTC' - interval '1 month') as first,
                  date_trunc('month', greatest(max(created_at), now()) at time zone 'UTC') as last
             from audit_rows) as months`,
  // Ids say the moment, as far as they reach back, and rise in the order of the rows, however many are of one moment.
  `insert into audit_events (account_id, id, created_at, actor_type, actor_id, actor_name, action, target_type, target_id,
            target_name, changes, address, program, request_id)
   select account_id, n + max(greatest(record_id_at(created_at), 1) - n) over (order by n), created_at, actor_type, actor_id, actor_name,
          action, target_type, target_id, target_name, changes, address, program, request_id
     from (select *, row_number() over (order by created_at, id) as n from audit_rows) as a`,
  'drop table audit_rows',
  'alter table audit_events add primary key (account_id, id)',
  'create index audit_events_of_target on audit_events (account_id, target_type, target_id, id)',
  'create index audit_events_of_account on audit_events (account_id, created_at)',
  'drop function remove_old_audit_events(int)',
];

/** The audit log is divided by month, so that what is old goes without a deletion; no release has had it yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
