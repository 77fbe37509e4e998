import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** A person who joins with a passkey has no id when the authenticator asks for one: its handle is kept. Null: made of the id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table passkeys add column user_handle bytea`.execute(db);
}
