import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Figures that belong to no single process: one counts, and all show them.
  await sql`
    create table counted_figures (name text primary key, counted_at timestamptz not null, readings jsonb not null)
  `.execute(db);
}
