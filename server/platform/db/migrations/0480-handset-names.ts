import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The address book of a Business app beside the official API. A name of null: the person was removed from it.
  `create table handset_names (
     account_id bigint not null,
     phone_id bigint not null,
     contact_key text not null,
     name text,
     given_name text,
     said_at timestamptz not null,
     primary key (phone_id, contact_key),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
