import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Ids of records in the order in which they are given. The 12 bits of a sequence began anew after 4,096 ids, also in the
 * middle of a millisecond: what was stored after that stood before what was stored earlier. A sequence of whole ids,
 * moved up to the time where it falls behind, never goes back.
 */
const statements = [
  `create sequence record_clock`,
  // A second ahead: statements that are under way give ids of the old kind.
  `select setval('record_clock', record_id_at(clock_timestamp() + interval '1 second'))`,
  `create or replace function next_record_id() returns bigint language plpgsql volatile as $$
   declare
     -- Up to 4 ms behind, as not each id is to wait for the lock; a day ahead, as a clock that was set back gives no id twice.
     furthest_behind constant bigint := 4 << 12;
     furthest_ahead constant bigint := 86400000::bigint << 12;
     given bigint := nextval('record_clock');
     due bigint := record_id_at(clock_timestamp());
   begin
     if given between due - furthest_behind and due + furthest_ahead then
       return given;
     end if;
     begin
       perform pg_advisory_lock(hashtextextended('record clock', 'record_clock'::regclass::oid::bigint));
       given := nextval('record_clock');
       due := record_id_at(clock_timestamp());
       if given not between due - furthest_behind and due + furthest_ahead then
         -- Cells that are idle would give the same ids, which meet where an account moves.
         given := setval('record_clock', due + floor(random() * 4096)::bigint);
       end if;
       perform pg_advisory_unlock(hashtextextended('record clock', 'record_clock'::regclass::oid::bigint));
     exception when query_canceled or others then
       -- The lock is the connection's, which lives on.
       perform pg_advisory_unlock(hashtextextended('record clock', 'record_clock'::regclass::oid::bigint));
       raise;
     end;
     return given;
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
