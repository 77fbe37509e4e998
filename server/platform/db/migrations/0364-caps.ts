import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // How many messages of campaigns and flows a person gets; topic 0 stands for all of them together.
  `create table message_caps (
     account_id bigint not null references accounts on delete cascade,
     topic_id bigint not null,
     per_day int,
     per_week int,
     primary key (account_id, topic_id)
   )`,
  // Locked by who hands over to a number, so that two sources see each other's reservations.
  `create table cap_numbers (
     account_id bigint not null references accounts on delete cascade,
     phone_key text collate "C" not null,
     primary key (account_id, phone_key)
   )`,
  // A message that was handed over, by number and day; released once it did not go.
  `create table cap_reservations (
     account_id bigint not null references accounts on delete cascade,
     message_id bigint not null,
     phone_key text collate "C" not null,
     day date not null,
     topic_id bigint,
     is_released boolean not null default false,
     primary key (account_id, message_id)
   )`,
  `create index cap_reservations_of_number on cap_reservations (account_id, phone_key, day)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
