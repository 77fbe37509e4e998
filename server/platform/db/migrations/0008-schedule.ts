import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The schema of the library that kept the schedule before is left alone: an older process beside this one uses it. */
const statements = [
  // Times are the database's own. The token grows with each round: whoever lost a round's lease ends nothing.
  `create table scheduled_jobs (
     name text primary key,
     next_run_at timestamptz not null,
     leased_until timestamptz,
     token bigint not null default 0,
     failures int not null default 0,
     last_success_at timestamptz
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
