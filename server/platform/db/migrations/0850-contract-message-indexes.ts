import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The release before claims by the first two. Each is of the status, so that no change of it is made in place (HOT).
  'drop index if exists messages_waiting',
  'drop index if exists messages_sending',
  'drop index if exists messages_retrying',
  'drop index if exists messages_deferred',
  'drop index if exists messages_arrived',

  // A receipt needs room on the page of its message, also in months that are there already.
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
       if parent = 'messages' and exists (select from pg_class where oid = to_regclass(partition) and reloptions is null) then
         execute format('alter table %I set (fillfactor = 85)', partition);
       end if;
     end loop;
   end $$`,
];

/** Throws while a process of the release before serves: its claims would read whole months. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ owner: string }>`
    select owner from phone_workers where epoch is null and seen_at > clock_timestamp() - interval '15 seconds'
  `.execute(db);
  if (rows[0]) throw new Error(`The process ${rows[0].owner} is of the release before: stop it first`);
  for (const statement of statements) await sql.raw(statement).execute(db);
}
