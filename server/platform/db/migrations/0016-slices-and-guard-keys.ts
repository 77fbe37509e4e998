import { sql } from 'kysely';
import type { Kysely } from 'kysely';

// Columns without a default, or with a constant one, rewrite no table.
const statements = [
  `alter table campaigns add column snapshot_condition jsonb`,
  `alter table flows add column guards_keyed_until bigint default 0, add column failed_runs int not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
