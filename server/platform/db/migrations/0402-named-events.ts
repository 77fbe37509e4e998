import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Events that an endpoint of all events gets only because it names them; the release before sends none of them.
  `alter table webhook_endpoints add column named_events text[]`,
  // How many events came in the hour, so that webhooks tell of so many alone.
  `alter table event_accounts add column told_hour timestamptz, add column told int not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
