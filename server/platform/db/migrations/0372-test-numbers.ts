import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table test_numbers (
      user_id bigint primary key references accounts on delete cascade,
      phone text not null
    )
  `.execute(db);
}
