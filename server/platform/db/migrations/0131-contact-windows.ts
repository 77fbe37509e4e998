import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Until when a network that keeps windows takes free content of a phone to a contact. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table contact_windows (
         account_id bigint not null,
         phone_id bigint not null,
         contact_key text not null,
         expires_at timestamptz not null,
         primary key (phone_id, contact_key),
         foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
       )`,
    )
    .execute(db);
}
