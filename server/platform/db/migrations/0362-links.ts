import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The addresses in the messages of a campaign, a flow or a bulk run; the id stands in each short address.
  `create table links (
     id int generated always as identity primary key,
     account_id bigint not null references accounts on delete cascade,
     source text not null,
     source_id bigint not null,
     url text not null,
     created_at timestamptz not null
   )`,
  `create unique index links_of_source on links (account_id, source, source_id, md5(url))`,

  // First clicks alone: once a person, link and message, with no address of who clicked.
  `create table link_clicks (
     account_id bigint not null references accounts on delete cascade,
     link_id int not null references links on delete cascade,
     message_id bigint not null,
     clicked_at timestamptz not null,
     primary key (account_id, link_id, message_id)
   )`,
  // The same without the link: who clicked anything.
  `create table message_clicks (
     account_id bigint not null references accounts on delete cascade,
     source text not null,
     source_id bigint not null,
     message_id bigint not null,
     clicked_at timestamptz not null,
     primary key (account_id, source, source_id, message_id)
   )`,
  `create index message_clicks_of_message on message_clicks (account_id, message_id)`,
  `create table link_totals (
     account_id bigint not null references accounts on delete cascade,
     source text not null,
     source_id bigint not null,
     clicked int not null,
     primary key (account_id, source, source_id)
   ) with (fillfactor = 50)`,

  `create table link_settings (
     account_id bigint primary key references accounts on delete cascade,
     domain text not null
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
