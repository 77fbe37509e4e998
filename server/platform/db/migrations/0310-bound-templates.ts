import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The WhatsApp template that its messages are made of, in place of a text and a file.
  `alter table campaigns add column template jsonb`,
  `alter table flows add column template jsonb`,
  `alter table bulk_runs add column template jsonb`,
  // When a pause of it ends, where the network said how long it is.
  `alter table whatsapp_templates add column paused_until timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
