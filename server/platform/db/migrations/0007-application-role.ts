import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The application owns nothing: what it does with partitions it does through these, as their owner, and they take no
  // other table than the two that are divided.
  `create or replace function ensure_month_partitions(parent text, from_month date, months int) returns void
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     month date;
     next_month date;
     partition text;
   begin
     if parent not in ('messages', 'webhook_records') then
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

  // Drops the months that ended before the day, and answers their names.
  `create function drop_months_before(parent text, day date) returns text[]
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     partition text;
     dropped text[] := '{}';
   begin
     if parent not in ('messages', 'webhook_records') then
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
  `revoke execute on function ensure_month_partitions(text, date, int), drop_months_before(text, date) from public`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
