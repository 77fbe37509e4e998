import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Accounts whose people are followed, and when they have a turn. The token proves whose turn it is.
  `create table audience_work (
     account_id bigint primary key references accounts (id) on delete cascade,
     due_at timestamptz not null,
     claimed_until timestamptz not null default '-infinity',
     served_at timestamptz not null default '-infinity',
     token bigint not null default 0,
     -- Nothing is built before the transactions have ended that may have left out a change.
     ready_from xid8,
     is_ready boolean not null default false,
     definitions text not null default '',
     swept_until bigint
   ) with (fillfactor = 70)`,
  `create index audience_work_due on audience_work (due_at)`,
  // An expression under one definition: of a segment that has changed, the earlier one answers until the new one is built.
  `create table audience_watches (
     account_id bigint not null references audience_work (account_id) on delete cascade,
     id bigint generated always as identity,
     source text not null,
     source_id bigint not null,
     definition text not null,
     criteria jsonb not null,
     built_until bigint not null default 0,
     is_built boolean not null default false,
     primary key (account_id, id)
   )`,
  `create unique index audience_watches_definition on audience_watches (account_id, source, source_id, definition)`,
  // People whose answers may have changed: only appended to, so that no writer waits for another or for the evaluation.
  `create table profile_changes (
     account_id bigint not null,
     id bigint generated always as identity,
     profile_id bigint not null,
     primary key (account_id, id)
   ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
  // The watches that a person was found in, and the moment from which time alone may change that: one timer a person.
  `create table profile_states (
     account_id bigint not null,
     profile_id bigint not null,
     member_of bigint[] not null,
     due_at timestamptz,
     primary key (account_id, profile_id)
   ) with (fillfactor = 80)`,
  `create index profile_states_due on profile_states (account_id, due_at) where due_at is not null`,
  `insert into audience_work (account_id, due_at)
     select distinct account_id, now() from segments where not is_own`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
