import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The outcomes of messages per quarter of an hour: every time zone's midnight begins one, so that the rows add up to
  // the days of any zone. By phone and direction, so that those who count at the same time rarely meet in a row.
  `create table message_counts (
     account_id bigint not null,
     project_id bigint not null,
     quarter_hour timestamptz not null,
     phone_id bigint not null,
     direction text not null,
     sent int not null default 0,
     delivered int not null default 0,
     failed int not null default 0,
     received int not null default 0,
     primary key (account_id, quarter_hour, project_id, phone_id, direction),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  // Counts change with every batch: room on the page keeps those updates off the indexes.
  `alter table message_counts set (fillfactor = 50)`,
  `create index on message_counts (quarter_hour)`,

  `insert into message_counts (account_id, project_id, quarter_hour, phone_id, direction, sent, delivered, failed, received)
   select account_id, project_id, date_bin('15 minutes', created_at, 'epoch'), coalesce(phone_id, 0), direction,
          count(sent_at) filter (where direction = 'outgoing'),
          count(delivered_at) filter (where direction = 'outgoing'),
          count(*) filter (where direction = 'outgoing' and status = 'failed'),
          count(*) filter (where direction = 'incoming')
     from messages
    where direction = 'incoming' or sent_at is not null or status = 'failed'
    group by 1, 2, 3, 4, 5`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
