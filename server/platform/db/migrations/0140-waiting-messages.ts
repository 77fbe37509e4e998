import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Messages that cannot be read yet, until their events are due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table waiting_messages (
      account_id bigint not null references accounts on delete cascade,
      message_id bigint not null,
      sender_name text,
      due_at timestamptz not null,
      primary key (account_id, message_id)
    )
  `.execute(db);
  await sql`create index waiting_messages_due on waiting_messages (due_at)`.execute(db);
}
