import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table profile_imports
     add column types jsonb not null default '[]',
     add column unread_cells jsonb not null default '[]',
     add column noted_rows int not null default 0`,
  `alter table profile_import_chunks
     add column notes text,
     add column noted_rows int not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
