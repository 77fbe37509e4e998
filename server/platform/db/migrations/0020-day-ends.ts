import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Nullable: no row is rewritten. A count without it ends with its day in the account's time zone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table phones add column count_ends_at timestamptz`.execute(db);
}
