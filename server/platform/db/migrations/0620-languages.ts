import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Of the person, BCP 47; null: unknown.
  `alter table accounts add column language text`,
  `create or replace view users as
     select id, name, email, email_key, password_hash, email_unconfirmed_since, created_at, language from accounts`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
