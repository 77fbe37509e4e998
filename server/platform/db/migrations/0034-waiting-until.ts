import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table campaigns add column waiting_until timestamptz`,
  `alter table flows add column waiting_until timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
