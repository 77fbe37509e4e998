import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The last facts from Meta about a number of the official API: its name, its quality and its limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table cloud_numbers add column facts jsonb, add column facts_at timestamptz`).execute(db);
}
