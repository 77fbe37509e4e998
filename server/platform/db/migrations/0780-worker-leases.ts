import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The lease of a process: what it holds counts until `expires_at`, as far as its token is higher than `epoch`. Null:
  // a process of the release before, whose phones have leases of their own alone. `phones`: as it counted them last.
  `alter table phone_workers
     add column epoch bigint, add column expires_at timestamptz,
     add column phones int, add column counted_at timestamptz`,

  // A process of the release before that starts under the name of a newer one knows nothing of what that one wrote.
  `create function forget_newer_worker() returns trigger language plpgsql as $$
   begin
     new.epoch := null;
     new.expires_at := null;
     new.held := null;
     new.most := null;
     return new;
   end $$`,
  `create trigger phone_workers_of_older_releases before update of seen_at on phone_workers for each row
     when (old.expires_at is not null and new.expires_at is not distinct from old.expires_at)
     execute function forget_newer_worker()`,

  // The release before reads the time beside a phone alone: with its own heartbeat it learns which phones of newer
  // processes are free, as their lease has ended. The clock is read first: a renewal that is not seen here was answered
  // after that moment, and a lease which had ended by then is given up by its worker. A statement a worker, by the index
  // of its phones, which reads both tables at one moment; a row is only changed as it is seen there: who has it since may
  // be of a lease that is not.
  `create function free_for_older_worker() returns trigger language plpgsql as $$
   declare
     began_at timestamptz := clock_timestamp();
     newer text;
   begin
     for newer in select owner from phone_workers where epoch is not null loop
       update phone_leases l set expires_at = began_at
         from (select own.phone_id, own.token
                 from phone_workers w
                 join phone_leases seen on seen.owner = w.owner
                      and seen.token <= case when w.expires_at < began_at then 9223372036854775807 else w.epoch end
                      and seen.expires_at > began_at
                 join phone_leases own on own.phone_id = seen.phone_id and own.token = seen.token
                      and own.expires_at = seen.expires_at
                where w.owner = newer and w.epoch is not null and seen.owner = newer
                limit 1000
                  for no key update of own skip locked) free
        where l.phone_id = free.phone_id and l.token = free.token;
     end loop;
     return null;
   end $$`,
  `create trigger phone_workers_free_ended after insert or update of seen_at on phone_workers for each row
     when (new.epoch is null) execute function free_for_older_worker()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
