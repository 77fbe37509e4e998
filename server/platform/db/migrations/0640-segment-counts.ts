import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // How many people were in a segment, a row a day: what the growth of a list is read from.
  `create table segment_counts (
     account_id bigint not null,
     segment_id bigint not null,
     day date not null,
     people bigint not null,
     primary key (account_id, segment_id, day),
     foreign key (account_id, segment_id) references segments (account_id, id) on delete cascade
   )`,
  `create index segment_counts_by_day on segment_counts (day)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
