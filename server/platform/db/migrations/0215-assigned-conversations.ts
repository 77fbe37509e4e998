import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversations add column assigned_to bigint, add column assigned_at timestamptz
  `.execute(db);
}
