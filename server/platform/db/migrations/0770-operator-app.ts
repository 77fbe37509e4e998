import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The operator's app at Meta by which a number signed up; null: its owner entered an app of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table cloud_numbers add column operator_app_id text').execute(db);
}
