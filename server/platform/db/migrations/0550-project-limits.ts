import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // As many projects as an operator lets the account have; null: as many as its plan has.
  `alter table accounts add column project_limit int`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
