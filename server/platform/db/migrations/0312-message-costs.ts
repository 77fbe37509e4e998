import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // An account's own list of what a delivered message of the official API costs.
  `create table message_price_list (
     account_id bigint not null references accounts on delete cascade,
     country text not null,
     category text not null,
     valid_from date not null,
     currency text not null,
     price numeric(14, 6) not null,
     primary key (account_id, country, category, valid_from)
   )`,

  // Delivered messages of official numbers as Meta counts them; country '' where the number does not tell.
  `create table phone_costs (
     account_id bigint not null,
     phone_id bigint not null,
     day date not null,
     country text not null,
     category text not null,
     is_billed boolean not null,
     count bigint not null,
     primary key (account_id, phone_id, day, country, category, is_billed),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
