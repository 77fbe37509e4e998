import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A row for each member and conversation that is open in a page: what has expired goes with the member's next one.
  `create table conversation_presence (
     account_id bigint not null,
     user_id bigint not null,
     conversation_id bigint not null,
     state text not null,
     expires_at timestamptz not null,
     primary key (account_id, user_id, conversation_id),
     foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
   )`,
  `create index conversation_presence_of on conversation_presence (account_id, conversation_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
