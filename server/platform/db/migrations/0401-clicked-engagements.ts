import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Accounts whose messages from before there were engagements are yet to be gone through; the latest first.
  `create table engagement_backfill (
     account_id bigint primary key references accounts (id) on delete cascade,
     before_id bigint
   )`,
  `insert into engagement_backfill (account_id) select id from accounts`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
