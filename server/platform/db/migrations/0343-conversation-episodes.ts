import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // From when a person begins a conversation, or writes after it was done, until it is done again. The row outlives the
  // conversation: reports read it.
  `create table conversation_episodes (
     account_id bigint not null,
     id bigint generated always as identity,
     project_id bigint not null,
     conversation_id bigint not null,
     opened_at timestamptz not null,
     answered_at timestamptz,
     answered_by bigint,
     done_at timestamptz,
     done_by bigint,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `create unique index conversation_episodes_open on conversation_episodes (account_id, conversation_id)
     where done_at is null`,
  `create index conversation_episodes_answered on conversation_episodes (account_id, answered_at)
     where answered_at is not null`,
  `create index conversation_episodes_done on conversation_episodes (account_id, done_at) where done_at is not null`,
  `create index conversation_episodes_opened on conversation_episodes (opened_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
