import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // When set, a contact keeps the phone of the project that wrote to it first.
  `alter table projects add column is_sticky boolean not null default true`,
  // Numbers that were found not to be on WhatsApp, for as long as they are not asked for again.
  `create table numbers_off_whatsapp (
     account_id bigint not null references accounts on delete cascade,
     phone_key text collate "C" not null,
     found_at timestamptz not null,
     primary key (account_id, phone_key)
   )`,
  `create index numbers_off_whatsapp_by_time on numbers_off_whatsapp (found_at)`,
  // The campaign's sent and failed counts when its list was last judged.
  `alter table campaigns add column judged_sent int not null default 0,
                         add column judged_failed int not null default 0,
                         add column judged_missing int not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
