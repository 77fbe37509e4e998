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
  // The engine that speaks to the network determines the form of the credentials.
  `alter table connector_credentials add column engine text not null default 'baileys'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
