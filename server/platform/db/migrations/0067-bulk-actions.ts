import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // An action on many things of one kind, run in the background: on those named, or on all that the filter finds up to
  // an id.
  `create table bulk_actions (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     resource text not null,
     action text not null,
     tags text[] not null default '{}',
     ids bigint[],
     filter jsonb,
     until_id bigint not null,
     status text not null,
     after_id bigint not null default 0,
     total_count int not null,
     done_count int not null default 0,
     changed_count int not null default 0,
     failed_count int not null default 0,
     undone_count int not null default 0,
     failures jsonb not null default '[]',
     error text,
     created_at timestamptz not null,
     worked_at timestamptz not null,
     finished_at timestamptz,
     primary key (account_id, id)
   ) with (fillfactor = 70)`,
  `create index bulk_actions_under_way on bulk_actions (worked_at) where status in ('working', 'undoing')`,
  // The changes that an action made, so that undoing it takes back nothing else.
  `create table bulk_action_changes (
     account_id bigint not null,
     action_id bigint not null,
     item_id bigint not null,
     tags text[],
     phone text collate "C",
     primary key (account_id, action_id, item_id),
     foreign key (account_id, action_id) references bulk_actions (account_id, id) on delete cascade
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
