import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table conversations add column snoozed_until timestamptz`,
  `create function end_snooze() returns trigger language plpgsql as $$
   begin
     new.snoozed_until := null;
     return new;
   end $$`,
  // A trigger, so that a process of the release before ends it as well: it counts what comes in, and knows no snooze.
  `create trigger conversations_snooze_ends before update of unread_count on conversations for each row
     when (old.snoozed_until is not null and new.unread_count > old.unread_count
           and new.snoozed_until is not distinct from old.snoozed_until)
     execute function end_snooze()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
