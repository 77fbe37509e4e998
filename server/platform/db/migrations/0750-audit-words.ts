import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // As a search reads an act: by whom, to what, which one and from where.
  `create function audit_words(actor_name text, target_name text, action text, address text) returns text
     language sql immutable parallel safe
     return fold_text(actor_name || ' ' || coalesce(target_name, '') || ' ' || action || ' ' || coalesce(address, ''))`,
  // The months inherit it; no release has had them yet.
  `create index audit_events_by_words on audit_events
     using gin (account_id, audit_words(actor_name, target_name, action, address) gin_trgm_ops)`,
];

/** The audit log is searched by words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
