import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** How far a flow has gone through the profiles, so that its next turn goes on there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table flows add column pass_after bigint, add column pass_until timestamptz, add column pass_cutoff timestamptz
  `.execute(db);
}
