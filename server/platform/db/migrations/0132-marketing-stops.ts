import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The last word of people to WhatsApp about marketing from this business: kept when they resume, so that an older
  // word that comes late changes nothing.
  `create table marketing_stops (
     account_id bigint not null references accounts on delete cascade,
     phone_key text collate "C" not null,
     id bigint not null default next_record_id(),
     phone text collate "C" not null,
     is_stopped boolean not null,
     said_at timestamptz not null,
     primary key (account_id, phone_key)
   )`,
  `create unique index marketing_stops_by_id on marketing_stops (account_id, id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
