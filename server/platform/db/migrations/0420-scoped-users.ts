import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The number behind a user id of the official API, which hides it from messages that come later.
  `create table scoped_users (
     account_id bigint not null references accounts on delete cascade,
     user_id text not null,
     number text not null,
     seen_at timestamptz not null,
     primary key (account_id, user_id)
   )`,
  `create index scoped_users_number on scoped_users (account_id, phone_key(number))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
