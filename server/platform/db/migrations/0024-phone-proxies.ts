import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Nullable: no row is rewritten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table phones add column proxy text, add column proxy_sealed bytea`.execute(db);
}
