import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Deliveries and reads of the messages of a template, by the day (UTC) of their creation.
  `create table template_counts (
     account_id bigint not null,
     project_id bigint not null,
     phone_id bigint not null,
     business_account_id text not null,
     name text not null,
     language text not null,
     day date not null,
     delivered int not null default 0,
     read int not null default 0,
     primary key (account_id, business_account_id, name, language, day, project_id, phone_id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  // Rows change with every status: room on the page keeps that cheap.
  `alter table template_counts set (fillfactor = 50)`,
  `create index template_counts_of_phone on template_counts (phone_id, day)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
