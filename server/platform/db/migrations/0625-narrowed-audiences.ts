import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The projects of its maker, where they see these alone; null: it goes to all of its audience.
  `alter table campaigns add column audience_project_ids bigint[]`,
  `alter table flows add column audience_project_ids bigint[]`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
