import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Deleted profiles, as they were: an undo puts them back. They go with their action, after seven days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table bulk_action_changes add column item jsonb').execute(db);
}
