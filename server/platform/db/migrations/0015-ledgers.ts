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
  `create unique index flow_profiles_by_phone on flow_profiles (account_id, flow_id, phone_key)
     where phone_key is not null`,
  // Whose frequency has run out meanwhile; a guard whose message is on its way is none of them.
  `create index flow_profiles_by_time on flow_profiles (account_id, flow_id, last_at) where last_at < 'infinity'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
