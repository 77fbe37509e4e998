import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Nullable, or with a constant default: no row is rewritten.
  `alter table accounts add column messages_kept_days int`,
  `alter table security_events
     add column repeats int not null default 0,
     add column last_at timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
