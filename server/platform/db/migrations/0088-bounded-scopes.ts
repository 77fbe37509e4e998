import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Keys that exist, and those that the release before makes, are of version 1: templates came with campaigns.
  `alter table project_keys add column scopes_version smallint not null default 1`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
