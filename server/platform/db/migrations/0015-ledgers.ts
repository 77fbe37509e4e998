import { sql } from 'kysely';
import type { Kysely } from 'kysely';

// Columns without a default, or with a constant one, rewrite no table.
const statements = [
  `alter table messages add column counted_day date`,
  `alter table campaigns add column recheck_members boolean, add column snapshot_at timestamptz,
     add column snapshot_after bigint, add column snapshot_until bigint`,
  `alter table flows add column last_error text, add column searched_until timestamptz,
     add column searched_cutoff timestamptz, add column skip_before timestamptz, add column discard_until bigint`,
  `alter table flow_tallies add column skipped int not null default 0`,
  `alter table flow_profiles add column phone_key text collate "C"`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
