import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A browser repeats by itself what is answered 421, and a code is good once: the same answer is given again.
  `alter table oidc_attempts add column other_cell_url text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
