import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** When Meta took the request for what a number's Business app holds; null: it has not been asked, or did not take it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table cloud_numbers add column shared_asked_at timestamptz').execute(db);
}
