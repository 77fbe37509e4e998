import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The release before, which reads neither, starts on the database no more. */
const statements = [
  `create or replace function kept_json(packed text) returns text language sql immutable strict parallel safe
   as $$ select packed $$`,
  `create or replace function kept_attempt(packed jsonb) returns jsonb language sql stable strict parallel safe
   as $$ select packed $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
