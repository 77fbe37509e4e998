import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Processes that can hold phones; a process that holds none has no lease to be seen by.
  await sql.raw('create table phone_workers (owner text primary key, seen_at timestamptz not null)').execute(db);
}
