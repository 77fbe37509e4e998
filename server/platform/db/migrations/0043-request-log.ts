import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // By days, which go as a whole; ids carry the time, as those of messages do.
  `create table api_requests (
     account_id bigint not null,
     project_id bigint,
     id bigint not null,
     created_at timestamptz not null,
     request_id text not null,
     method text not null,
     path text not null,
     status int not null,
     code text,
     duration_ms int not null,
     caller text not null,
     key_id bigint,
     body text,
     omitted int not null,
     primary key (account_id, id)
   ) partition by range (id)`,

  // The application's role owns nothing, so that what makes and drops days runs as their owner.
  `create function ensure_request_log_days(first date, last date) returns void
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     day date;
     partition text;
   begin
     perform pg_advisory_xact_lock(hashtextextended('dovepost request log', 0));
     for day in select generate_series(first, least(last, first + 400), interval '1 day')::date loop
       partition := 'api_requests_' || to_char(day, 'YYYY_MM_DD');
       if to_regclass(partition) is null then
         execute format('create table %I partition of api_requests for values from (%s) to (%s)', partition,
           record_id_at(day::timestamp at time zone 'UTC'), record_id_at((day + 1)::timestamp at time zone 'UTC'));
       end if;
     end loop;
   end $$`,
  `create function drop_request_log_before(day date) returns text[]
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     partition text;
     dropped text[] := '{}';
   begin
     for partition in
       select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'api_requests'::regclass and c.relname ~ '^api_requests_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
          and to_date(right(c.relname, 10), 'YYYY_MM_DD') < day
        order by 1
     loop
       execute format('drop table %I', partition);
       dropped := dropped || partition;
     end loop;
     return dropped;
   end $$`,
  `revoke execute on function ensure_request_log_days(date, date), drop_request_log_before(date) from public`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
