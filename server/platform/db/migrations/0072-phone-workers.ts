import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who is there to hold phones: one that holds none has no lease to show for it.
  await sql.raw('create table phone_workers (owner text primary key, seen_at timestamptz not null)').execute(db);
}
