import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table phones add column rejects_calls boolean not null default false,
                      add column rejected_call_text text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
