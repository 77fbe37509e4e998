import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Facts that a phone's network tells of contacts, fetched seldom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_facts (
      account_id bigint not null,
      phone_id bigint not null,
      phone_key text not null,
      number text not null,
      lid text,
      about text,
      photo bytea,
      is_blocked boolean not null,
      fetched_at timestamptz not null,
      primary key (phone_id, phone_key),
      foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
    )
  `.execute(db);
}
