import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Whether a worker is fetching it now, as far as is known: the phone's next worker finds what the last one left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media_fetches add column is_claimed boolean not null default false`.execute(db);
}
