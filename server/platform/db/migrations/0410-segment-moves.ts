import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Accounts with segments, and when their segments are compared again.
  `create table segment_watchers (
     account_id bigint primary key references accounts (id) on delete cascade,
     due_at timestamptz not null,
     paced_until timestamptz not null default '-infinity'
   ) with (fillfactor = 70)`,
  `create index segment_watchers_due on segment_watchers (due_at)`,
  // The people of a segment as they were found last, under the definition of that time.
  `create table segment_watches (
     account_id bigint not null,
     segment_id bigint not null,
     definition text not null,
     is_followed boolean not null,
     searched_until timestamptz not null,
     primary key (account_id, segment_id),
     foreign key (account_id, segment_id) references segments (account_id, id) on delete cascade
   )`,
  `create table segment_stays (
     account_id bigint not null,
     segment_id bigint not null,
     profile_id bigint not null,
     primary key (account_id, segment_id, profile_id),
     foreign key (account_id, segment_id) references segment_watches (account_id, segment_id) on delete cascade,
     foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
   )`,
  `create index segment_stays_of_profile on segment_stays (account_id, profile_id)`,
  `create table segment_moves (
     account_id bigint not null,
     id bigint generated always as identity,
     profile_id bigint not null,
     segment_id bigint not null,
     segment_name text not null,
     state text not null,
     at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
   )`,
  `create index segment_moves_of_profile on segment_moves (account_id, profile_id, id desc)`,
  `create index segment_moves_by_age on segment_moves (at)`,
  `insert into segment_watchers (account_id, due_at)
     select distinct account_id, now() from segments where not is_own`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
