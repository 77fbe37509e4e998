import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Nullable, or with a constant default: no row is rewritten. A message without a type is a text.
  `alter table messages
     add column type text,
     add column media jsonb,
     add column media_source jsonb,
     add column location jsonb,
     add column contacts jsonb,
     add column protocol_type text,
     add column reply_to bigint,
     add column reactions jsonb,
     add column edited_at timestamptz,
     add column deleted_at timestamptz,
     add column metadata jsonb,
     add column source text,
     add column from_lid text,
     add column attempts int not null default 0,
     add column retry_at timestamptz`,
  // For the day on which the number behind a LID is learnt. Nothing has a LID yet, so the index is empty.
  `create index messages_by_lid on messages (phone_id, from_lid) where from_lid is not null`,
  // What waits to be tried again: rarely anything.
  `create index messages_retrying on messages (phone_id, recipient, id)
     where status = 'pending' and retry_at is not null`,
  // What speaks to the network decides what credentials look like.
  `alter table connector_credentials add column engine text not null default 'baileys'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
