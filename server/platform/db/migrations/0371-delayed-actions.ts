import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table bulk_actions add column starts_at timestamptz`,
  `create index bulk_actions_waiting on bulk_actions (account_id, resource)
     where status = 'working' and starts_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
