import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column may_want_to_opt_out boolean not null default false`.execute(db);
}
