import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A campaign's own audience is such a row: its field_path, operator and value match nobody in the release before.
  `alter table segments add column is_own boolean not null default false`,
  // The audience as the caller gave it. Null: segment_id, or a flow's conditions, say all of it.
  `alter table campaigns add column audience jsonb`,
  `alter table flows add column audience jsonb`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
