import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table webhook_notices (
     account_id bigint not null,
     project_id bigint not null,
     reason text not null,
     occurred_at timestamptz not null,
     next_attempt_at timestamptz not null,
     attempts int not null default 0,
     primary key (account_id, project_id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `create index webhook_notices_due on webhook_notices (next_attempt_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
