import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table alerts (
     account_id bigint not null references accounts (id) on delete cascade,
     id bigint generated always as identity,
     project_id bigint,
     kind text not null,
     subject_id bigint not null,
     facts jsonb not null,
     began_at timestamptz not null,
     due_at timestamptz not null,
     told_at timestamptz,
     ended_at timestamptz,
     is_over boolean,
     dismissed_at timestamptz,
     next_attempt_at timestamptz,
     attempts int not null default 0,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  // An ended alert whose mail is still due is reused when its subject fails again.
  `create unique index alerts_standing on alerts (account_id, kind, subject_id)
     where ended_at is null or next_attempt_at is not null`,
  `create index alerts_due on alerts (next_attempt_at) where next_attempt_at is not null`,
  `create index alerts_ended on alerts (ended_at) where ended_at is not null`,
  `create index alerts_of_project on alerts (account_id, project_id)`,
  `create table alert_settings (
     account_id bigint primary key references accounts (id) on delete cascade,
     changes jsonb not null
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
