import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Opting out is no answer: it counts against the number that wrote last.
  `alter table phone_sends add column opted_out_at timestamptz`,
  // From then on an answer counts for nothing that was written to many: something else was written since.
  `alter table last_writes add column superseded_at timestamptz`,
  // When the network last locked the phone, which campaigns of its project pause for.
  // No column: the release before reads whole rows of the table with prepared statements, which would fail.
  `create function locked_at(phone_health) returns timestamptz language sql stable
     return ($1.facts ->> 'lockedAt')::timestamptz`,
  // Locks until then are known to whoever let the campaign go on, and first contacts until then are judged.
  `alter table campaigns add column locks_seen_until timestamptz, add column answers_judged_until timestamptz,
     add column answers_asked_at timestamptz`,
  // The fate of the segment's condition when the segment was deleted.
  `alter table campaigns add column kept_condition jsonb`,
  // Whether direct messages to strangers beyond their phones' daily allowance are sent or wait.
  `alter table projects add column direct_first_contacts text not null default 'send'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
