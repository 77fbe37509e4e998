import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The bytes that an account's uploads take up, for its quota. Earlier uploads count as nothing; they expire within
  // days.
  `alter table profile_imports add column stored_bytes bigint not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
