import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A process of the release before, which does not say how many phones it holds, takes whatever waits for its phones,
  // and gives up all that it took with a message of a kind that it does not know.
  `create function leave_to_newer_workers() returns trigger language plpgsql as $$
   begin
     if exists (select from phone_leases l join phone_workers w on w.owner = l.owner
                 where l.phone_id = new.phone_id and l.token = new.lease_token and w.held is null) then
       return null;
     end if;
     return new;
   end $$`,
  `create trigger messages_left_to_newer_workers before update of status on messages for each row
     when (old.status = 'pending' and new.status = 'sending'
           and new.type in ('edit', 'deletion', 'poll', 'number_request', 'template'))
     execute function leave_to_newer_workers()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
