import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Messages that are stored without a phone: scheduled ones, and those of batches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table messages add column due_at timestamptz').execute(db);
}
