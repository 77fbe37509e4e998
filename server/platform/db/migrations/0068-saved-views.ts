import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Lists as somebody wants to see them again, by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table saved_views (
         account_id bigint not null references accounts on delete cascade,
         id bigint generated always as identity,
         list text not null,
         name text not null,
         search text not null,
         created_at timestamptz not null,
         updated_at timestamptz not null,
         primary key (account_id, id)
       )`,
    )
    .execute(db);
}
