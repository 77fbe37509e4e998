import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table field_types (
      account_id bigint not null references accounts (id) on delete cascade,
      path text collate "C" not null,
      type text,
      label text,
      typed_at timestamptz not null,
      primary key (account_id, path)
    )
  `.execute(db);
}
