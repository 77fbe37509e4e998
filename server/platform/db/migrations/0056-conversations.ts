import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A row for each person who has written to a project, by the key of their number, or `lid:` and the network's
  // address.
  `create table conversations (
     account_id bigint not null,
     project_id bigint not null,
     id bigint generated always as identity,
     contact_key text not null,
     phone text,
     contact_name text,
     phone_id bigint,
     status text not null default 'open',
     unread_count int not null default 0,
     last_message_id bigint not null,
     last_message_at timestamptz not null,
     primary key (account_id, id),
     unique (account_id, project_id, contact_key),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) with (fillfactor = 70)`,
  `create index conversations_by_status on conversations (account_id, project_id, status, last_message_id)`,
  `create index conversations_latest on conversations (account_id, project_id, last_message_id)`,
  `create index conversations_unread on conversations (account_id, project_id, last_message_id) where unread_count > 0`,

  // Projects whose messages from before are still to be gone through, backwards from this id; null: from the latest.
  `create table conversation_backfill (
     account_id bigint not null,
     project_id bigint not null,
     before_id bigint,
     primary key (account_id, project_id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `insert into conversation_backfill (account_id, project_id) select account_id, id from projects`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
