import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // How many phones each process holds, and may hold; null: one of a release before, which does not say.
  `alter table phone_workers add column held int, add column most int`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
