import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The one file that every message of one carries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['campaigns', 'flows', 'bulk_runs']) {
    await sql`alter table ${sql.table(table)} add column media jsonb`.execute(db);
  }
}
